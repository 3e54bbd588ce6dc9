package main

import (
	"fmt"
	"sync/atomic"
	"time"

	lksdk "github.com/livekit/server-sdk-go/v2"
	"github.com/pion/webrtc/v4"
)

const (
	lookDeadline  = 90 * time.Second
	lookAgain     = 50 * time.Millisecond
	largestPacket = 1500
	// markerBit of the second byte of a packet marks the last one of a picture (RFC 7741, 4.1).
	markerBit = 0x80
)

var (
	// cameras counts those whose first packet has come, pictures all whole pictures that came.
	cameras  atomic.Int64
	pictures atomic.Int64
)

// counters are sums since the start, of all participants. Packets and bytes are those of UDP, of media and
// of its control, without the heads of UDP and IP.
type counters struct {
	Pictures        int64  `json:"pictures"`
	PacketsSent     uint64 `json:"packetsSent"`
	PacketsReceived uint64 `json:"packetsReceived"`
	BytesSent       uint64 `json:"bytesSent"`
	BytesReceived   uint64 `json:"bytesReceived"`
}

// watch reads the packets of a subscribed camera and decodes nothing.
func watch(track *webrtc.TrackRemote, _ *lksdk.RemoteTrackPublication, _ *lksdk.RemoteParticipant) {
	packet := make([]byte, largestPacket)
	for isFirst := true; ; isFirst = false {
		size, _, err := track.Read(packet)
		if err != nil {
			// The subscription or the connection is over; a lost one ends the program elsewhere.
			return
		}
		if isFirst {
			cameras.Add(1)
		}
		if size > 1 && packet[1]&markerBit != 0 {
			pictures.Add(1)
		}
	}
}

// lookAtAll subscribes everybody to the camera of everybody else in the same room, waits for the first
// packet of each, and says the sizes again: some of those that come before the subscription are lost.
func lookAtAll(given spec, rooms []*lksdk.Room) error {
	members := map[string]int{}
	for _, room := range rooms {
		members[room.Name()]++
	}
	deadline := time.Now().Add(lookDeadline)
	large := given.Layers[len(given.Layers)-1]
	var wanted int64
	var sayAgain []func()
	for _, room := range rooms {
		others := camerasOf(room)
		for ; len(others) < members[room.Name()]-1; others = camerasOf(room) {
			if time.Now().After(deadline) {
				return fmt.Errorf("room %s shows %d cameras to one of %d", room.Name(), len(others), members[room.Name()])
			}
			time.Sleep(lookAgain)
		}
		for at, camera := range others {
			width, height := given.LookWidth, given.LookHeight
			if given.Enlarge && at == 0 {
				width, height = large.Width, large.Height
			}
			if err := camera.SetSubscribed(true); err != nil {
				return err
			}
			saySize := func() { camera.SetVideoDimensions(width, height) }
			saySize()
			sayAgain = append(sayAgain, saySize)
		}
		wanted += int64(len(others))
	}
	for cameras.Load() < wanted {
		if time.Now().After(deadline) {
			return fmt.Errorf("%d of %d cameras are seen", cameras.Load(), wanted)
		}
		time.Sleep(lookAgain)
	}
	for _, saySize := range sayAgain {
		saySize()
	}
	return nil
}

func camerasOf(room *lksdk.Room) []*lksdk.RemoteTrackPublication {
	var found []*lksdk.RemoteTrackPublication
	for _, participant := range room.GetRemoteParticipants() {
		for _, each := range participant.TrackPublications() {
			if camera, ok := each.(*lksdk.RemoteTrackPublication); ok && camera.Kind() == lksdk.TrackKindVideo {
				found = append(found, camera)
			}
		}
	}
	return found
}

// count adds up the connections of all, each of which has one way to the server.
func count(rooms []*lksdk.Room) counters {
	sum := counters{Pictures: pictures.Load()}
	for _, room := range rooms {
		local := room.LocalParticipant
		for _, connection := range []*webrtc.PeerConnection{
			local.GetPublisherPeerConnection(),
			local.GetSubscriberPeerConnection(),
		} {
			if connection == nil {
				continue
			}
			way, ok := connection.SCTP().Transport().ICETransport().GetSelectedCandidatePairStats()
			if !ok {
				continue
			}
			sum.PacketsSent += uint64(way.PacketsSent)
			sum.PacketsReceived += uint64(way.PacketsReceived)
			sum.BytesSent += way.BytesSent
			sum.BytesReceived += way.BytesReceived
		}
	}
	return sum
}
