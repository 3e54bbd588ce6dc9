package main

import (
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"sync/atomic"
	"time"

	lksdk "github.com/livekit/server-sdk-go/v2"
	"github.com/pion/webrtc/v4/pkg/media"
)

// clip is a run of encoded pictures that begins with a key frame and is played over and over.
type clip struct {
	frames []frame
}

type frame struct {
	data []byte
	// How long it is shown.
	duration time.Duration
	isKey    bool
}

// readClip reads an IVF file: a header of 32 bytes, then for each picture its length in 4 bytes, its time
// in 8, in units of the header's time base, and its data; all numbers little-endian.
func readClip(file string) (*clip, error) {
	content, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	if len(content) < 32 || string(content[:4]) != "DKIF" || string(content[8:12]) != "VP80" {
		return nil, fmt.Errorf("%s: not an IVF file of VP8", file)
	}
	perSecond := time.Duration(binary.LittleEndian.Uint32(content[16:]))
	unit := time.Second * time.Duration(binary.LittleEndian.Uint32(content[20:])) / perSecond
	var read clip
	var shownAt time.Duration
	for rest := content[32:]; len(rest) > 12; {
		end := 12 + int(binary.LittleEndian.Uint32(rest))
		if end <= 12 || end > len(rest) {
			return nil, fmt.Errorf("%s: cut off", file)
		}
		at := time.Duration(binary.LittleEndian.Uint64(rest[4:])) * unit
		if count := len(read.frames); count > 0 {
			read.frames[count-1].duration = at - shownAt
		}
		shownAt = at
		// VP8: the lowest bit of the first byte is 0 in key frames (RFC 6386, 9.1).
		read.frames = append(read.frames, frame{data: rest[12:end], isKey: rest[12]&1 == 0})
		rest = rest[end:]
	}
	count := len(read.frames)
	if count < 2 || !read.frames[0].isKey {
		return nil, fmt.Errorf("%s: not a clip that begins with a key frame", file)
	}
	read.frames[count-1].duration = read.frames[count-2].duration
	return &read, nil
}

// player plays a clip for one layer of one camera.
type player struct {
	lksdk.BaseSampleProvider
	clip        *clip
	next        int
	isKeyWanted atomic.Bool
}

// newPlayer begins with the first key frame after a place in the clip, 0 to 1.
func newPlayer(played *clip, place float64) *player {
	at := int(place * float64(len(played.frames)))
	made := &player{clip: played, next: at}
	made.requestKeyFrame()
	return made
}

// requestKeyFrame makes the next picture a key frame, by a jump to the next one of the clip.
func (p *player) requestKeyFrame() {
	p.isKeyWanted.Store(true)
}

// NextSample implements lksdk.SampleProvider.
func (p *player) NextSample(context.Context) (media.Sample, error) {
	if p.isKeyWanted.Swap(false) {
		for !p.clip.frames[p.next].isKey {
			p.next = (p.next + 1) % len(p.clip.frames)
		}
	}
	shown := p.clip.frames[p.next]
	p.next = (p.next + 1) % len(p.clip.frames)
	return media.Sample{Data: shown.data, Duration: shown.duration}, nil
}
