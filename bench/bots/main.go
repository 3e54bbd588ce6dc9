// Command bots publishes cameras for benchmarks: many participants in one process, each with the
// same encoded pictures from another place of the clip, for next to no processor time.
//
// It reads JSON (spec) from standard input, prints "ready" when everybody publishes and, if all look, has
// the first picture of everybody else. To each further line it answers with a line of JSON (counters), and
// it ends when standard input does. A participant who loses the connection ends it with status 1.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"sync/atomic"

	"github.com/livekit/protocol/livekit"
	"github.com/livekit/protocol/logger"
	lksdk "github.com/livekit/server-sdk-go/v2"
	"github.com/pion/rtcp"
	"github.com/pion/webrtc/v4"
)

type spec struct {
	// URL of the signalling, without "/rtc".
	URL string `json:"url"`
	// Tokens to join with, one a participant.
	Tokens []string `json:"tokens"`
	// Layers of each camera, the smallest first; at most three.
	Layers []layer `json:"layers"`
	// LookWidth and LookHeight are the size in pixels at which the first participant shows whoever
	// publishes after all are ready: what somebody looks at has to be sent.
	LookWidth  uint32 `json:"lookWidth"`
	LookHeight uint32 `json:"lookHeight"`
	// AllLook lets every participant show everybody else in the room at that size, from the beginning.
	AllLook bool `json:"allLook"`
	// Enlarge lets each of them show one of the others in the largest layer.
	Enlarge bool `json:"enlarge"`
}

type layer struct {
	// File in IVF, encoded with VP8.
	File          string `json:"file"`
	Width         uint32 `json:"width"`
	Height        uint32 `json:"height"`
	BitsPerSecond uint32 `json:"bitsPerSecond"`
	clip          *clip
}

func main() {
	logger.InitFromConfig(&logger.Config{Level: "error"}, "bots")
	lksdk.SetLogger(logger.GetLogger())
	input := bufio.NewReader(os.Stdin)
	line, err := input.ReadBytes('\n')
	if err != nil {
		fail(err)
	}
	var given spec
	if err := json.Unmarshal(line, &given); err != nil {
		fail(err)
	}
	rooms, err := joinAll(given)
	if err == nil && given.AllLook {
		err = lookAtAll(given, rooms)
	}
	if err != nil {
		fail(err)
	}
	fmt.Println("ready")
	answers := json.NewEncoder(os.Stdout)
	for _, err = input.ReadString('\n'); err == nil; _, err = input.ReadString('\n') {
		answers.Encode(count(rooms))
	}
	if err != io.EOF {
		fail(err)
	}
	for _, room := range rooms {
		room.Disconnect()
	}
}

func joinAll(given spec) ([]*lksdk.Room, error) {
	for at := range given.Layers {
		read, err := readClip(given.Layers[at].File)
		if err != nil {
			return nil, err
		}
		given.Layers[at].clip = read
	}
	var rooms []*lksdk.Room
	var isReady atomic.Bool
	for at, token := range given.Tokens {
		place := float64(at) / float64(len(given.Tokens))
		room, err := join(given, token, at == 0 && !given.AllLook, &isReady)
		if err == nil {
			err = publish(room, given.Layers, place)
		}
		if err != nil {
			return nil, fmt.Errorf("participant %d: %w", at+1, err)
		}
		rooms = append(rooms, room)
	}
	isReady.Store(true)
	return rooms, nil
}

// join connects one participant, who subscribes to nobody unless isLooking.
func join(given spec, token string, isLooking bool, isReady *atomic.Bool) (*lksdk.Room, error) {
	callback := &lksdk.RoomCallback{
		ParticipantCallback: lksdk.ParticipantCallback{OnTrackSubscribed: watch},
		OnDisconnectedWithReason: func(reason lksdk.DisconnectionReason) {
			if reason != lksdk.LeaveRequested {
				fail(fmt.Errorf("a participant was disconnected: %v", reason))
			}
		},
	}
	if isLooking {
		callback.OnTrackPublished = func(camera *lksdk.RemoteTrackPublication, _ *lksdk.RemoteParticipant) {
			if isReady.Load() && camera.Kind() == lksdk.TrackKindVideo {
				camera.SetSubscribed(true)
				camera.SetVideoDimensions(given.LookWidth, given.LookHeight)
			}
		}
	}
	return lksdk.ConnectToRoomWithToken(given.URL, token, callback, lksdk.WithAutoSubscribe(false))
}

var qualities = []livekit.VideoQuality{
	livekit.VideoQuality_LOW,
	livekit.VideoQuality_MEDIUM,
	livekit.VideoQuality_HIGH,
}

// publish sends a camera of these layers from a place in their clips, 0 to 1. The library stops a
// layer while nobody subscribes to it.
func publish(room *lksdk.Room, layers []layer, place float64) error {
	var tracks []*lksdk.LocalTrack
	for at, each := range layers {
		player := newPlayer(each.clip, place)
		track, err := lksdk.NewLocalTrack(
			webrtc.RTPCodecCapability{MimeType: webrtc.MimeTypeVP8, ClockRate: 90_000},
			lksdk.WithSimulcast("camera-"+room.LocalParticipant.Identity(), &livekit.VideoLayer{
				Quality: qualities[at],
				Width:   each.Width,
				Height:  each.Height,
				Bitrate: each.BitsPerSecond,
			}),
			lksdk.WithRTCPHandler(func(packet rtcp.Packet) {
				switch packet.(type) {
				case *rtcp.PictureLossIndication, *rtcp.FullIntraRequest:
					player.requestKeyFrame()
				}
			}),
		)
		if err != nil {
			return err
		}
		if err := track.StartWrite(player, nil); err != nil {
			return err
		}
		tracks = append(tracks, track)
	}
	_, err := room.LocalParticipant.PublishSimulcastTrack(tracks, &lksdk.TrackPublicationOptions{
		Name:   "camera",
		Source: livekit.TrackSource_CAMERA,
	})
	return err
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "bots:", err)
	os.Exit(1)
}
