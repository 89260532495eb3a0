"""Network cameras: silence, refusal and dropped streams are noticed in time; passwords are never shown."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import av
import pytest

from device.cameras.addresses import without_password
from device.cameras.camera import CameraError, CameraLostError
from device.cameras.reader import Reader
from device.cameras.rtsp import Rtsp
from device.cameras.settings import RtspCamera
from tests.device.cameras.scripted import raw, take_all
from tests.device.clips import grey
from vision.frame import Frame


def camera(port: int, **more: float) -> Rtsp:
    url = f"rtsp://admin:s3cret@127.0.0.1:{port}/stream"
    return Rtsp(
        RtspCamera.model_validate({"kind": "rtsp", "url": url, "open_timeout": 0.5, "read_timeout": 0.5, **more})
    )


@contextmanager
def silent_server() -> Iterator[int]:
    """Accepts and says nothing."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


def test_a_server_that_accepts_and_goes_silent_does_not_hang_the_opening() -> None:
    with silent_server() as port:
        begun = time.monotonic()
        with pytest.raises(CameraError, match="cannot open"):
            camera(port).open()
        assert time.monotonic() - begun < 10


def test_a_refused_connection_is_one_line_without_the_password() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    with pytest.raises(CameraError) as error:
        camera(port).open()
    assert "s3cret" not in str(error.value)
    assert "***@127.0.0.1" in str(error.value)


class RtspServer:
    """Serves one stream of H.264 over interleaved RTSP until told to go silent or to hang up."""

    def __init__(self, sdp: str, packets: list[bytes]) -> None:
        self._sdp, self._packets = sdp, packets
        self._server = socket.create_server(("127.0.0.1", 0))
        self.port = self._server.getsockname()[1]
        self.played = threading.Event()
        self.hang_up = threading.Event()
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        connection, _ = self._server.accept()
        with connection:
            while request := self._request(connection):
                method, number = request.split(" ", 1)[0], self._sequence(request)
                connection.sendall(self._answer(method, number))
                if method == "PLAY":
                    for packet in self._packets:
                        connection.sendall(b"$\0" + len(packet).to_bytes(2, "big") + packet)
                    self.played.set()
                    self.hang_up.wait(30)
                    return

    def _request(self, connection: socket.socket) -> str:
        text = b""
        while b"\r\n\r\n" not in text:
            chunk = connection.recv(4096)
            if not chunk:
                return ""
            text += chunk
        return text.decode()

    def _sequence(self, request: str) -> str:
        return next(line.split(":")[1].strip() for line in request.splitlines() if line.lower().startswith("cseq"))

    def _answer(self, method: str, number: str) -> bytes:
        head = f"RTSP/1.0 200 OK\r\nCSeq: {number}\r\nSession: 7\r\n"
        if method == "OPTIONS":
            head += "Public: OPTIONS, DESCRIBE, SETUP, PLAY, TEARDOWN\r\n"
        if method == "SETUP":
            head += "Transport: RTP/AVP/TCP;unicast;interleaved=0-1\r\n"
        body = self._sdp if method == "DESCRIBE" else ""
        if body:
            head += f"Content-Type: application/sdp\r\nContent-Length: {len(body)}\r\n"
        return (head + "\r\n" + body).encode()

    def close(self) -> None:
        self.hang_up.set()
        self._server.close()


def recorded_stream(frames: int) -> tuple[str, list[bytes]]:
    """What FFmpeg's RTP muxer makes of a few frames: the session description and the packets."""
    receiver = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    receiver.bind(("127.0.0.1", 0))
    receiver.settimeout(0.3)
    port = receiver.getsockname()[1]
    packets: list[bytes] = []
    with av.open(f"rtp://127.0.0.1:{port}?pkt_size=1200", "w", format="rtp") as out:
        stream = out.add_stream("libx264", rate=25)
        stream.width, stream.height, stream.pix_fmt = 320, 180, "yuv420p"
        stream.options = {"preset": "ultrafast", "tune": "zerolatency", "x264-params": "keyint=5:repeat-headers=1"}
        for k in range(frames):
            for packet in stream.encode(av.VideoFrame.from_ndarray(grey(20 + 5 * k), format="bgr24")):
                out.mux(packet)
                packets += _received(receiver)
    packets += _received(receiver)
    receiver.close()
    sdp = "v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\ns=x\r\nt=0 0\r\nm=video 0 RTP/AVP 96\r\na=rtpmap:96 H264/90000\r\n"
    return sdp + "a=fmtp:96 packetization-mode=1\r\na=control:track1\r\n", packets


def _received(receiver: socket.socket) -> list[bytes]:
    found = []
    receiver.settimeout(0.05)
    try:
        while True:
            found.append(receiver.recv(65536))
    except TimeoutError:
        return found


def test_a_stream_that_goes_silent_is_lost_in_time_and_gave_its_frames_before() -> None:
    sdp, packets = recorded_stream(12)
    assert packets
    server = RtspServer(sdp, packets)
    stream = camera(server.port, open_timeout=10, read_timeout=1.0)
    stream.open()
    try:
        taken: list[Frame] = []
        with pytest.raises(CameraLostError, match="sends nothing any more"):
            take_all(stream, taken)
        assert taken
        assert stream.facts().size == (320, 180)
    finally:
        stream.close()
        server.close()


def test_a_slow_taker_gets_the_newest_frame_never_an_old_one() -> None:
    given = threading.Semaphore(0)
    frames = iter([raw(k / 10, grey(k)) for k in range(5)])
    all_read = threading.Event()

    def read() -> Frame | None:
        given.acquire()
        frame = next(frames, None)
        if frame is None:
            all_read.set()
            raise CameraLostError("over")
        return frame

    reader = Reader(read, "test")
    given.release(6)
    assert all_read.wait(5)
    newest = reader.next_frame(1.0)
    assert newest is not None
    assert newest.t == pytest.approx(0.4)
    assert reader.replaced == 4
    with pytest.raises(CameraLostError, match="over"):
        reader.next_frame(1.0)
    reader.close()


def test_addresses_are_shown_without_what_is_secret() -> None:
    shown = without_password("open rtsp://u:p@10.0.0.5/s?user=a&password=b failed; http://h/x?token=1 too")
    assert shown == "open rtsp://***@10.0.0.5/s?user=a&password=*** failed; http://h/x?token=*** too"
