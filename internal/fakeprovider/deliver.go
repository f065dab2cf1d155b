package fakeprovider

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"time"
)

// exchange is one request and its answer.
type exchange struct {
	w    http.ResponseWriter
	r    *http.Request
	form form
	opt  Options

	ask    ask
	digest digest
	nth    int // which copy of the request, from 1
	fault  Fault
	reply  reply

	status int  // that was sent; 0: none
	whole  bool // all of the answer was written
}

// deliver waits, and gives the answer or spoils it.
func (x *exchange) deliver() {
	if !x.sleep(x.wait()) {
		return
	}
	switch x.fault {
	case RateLimit:
		x.fail(x.opt.limited(x.form, style(x.form), x.w.Header()))
	case RateLimitAnthropic, RateLimitOpenAI, RateLimitGemini, RateLimitWords, RateLimitRetryAfter, RateLimitBare, NoQuota:
		x.fail(x.opt.limited(x.form, x.fault, x.w.Header()))
	case Internal:
		x.fail(problem{status: http.StatusInternalServerError, message: "Internal server error"})
	case BadGateway:
		x.send(http.StatusBadGateway, "text/html", []byte("<html><head><title>502 Bad Gateway</title></head><body>Bad Gateway</body></html>"))
	case Unavailable:
		x.fail(problem{status: http.StatusServiceUnavailable, message: "The service is unavailable."})
	case Overloaded:
		x.fail(problem{status: 529, message: "Overloaded"})
	case Reset:
		x.reset(nil)
	case ErrorMidway:
		if !x.ask.stream {
			x.fail(problem{status: http.StatusInternalServerError, message: "Internal server error"})
			return
		}
		x.speak()
	default:
		x.speak()
	}
}

// wait is how long the answer takes.
func (x *exchange) wait() time.Duration {
	d := x.opt.Latency
	if x.opt.Jitter > 0 {
		g := source(x.digest.source() ^ source(x.opt.Seed) ^ source(x.nth)<<32)
		d += time.Duration(g.next() % uint64(x.opt.Jitter+1))
	}
	return d
}

// sleep is false when the client has gone.
func (x *exchange) sleep(d time.Duration) bool {
	if d <= 0 {
		return x.r.Context().Err() == nil
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-x.r.Context().Done():
		return false
	}
}

// speak writes the reply, whole or as a stream.
func (x *exchange) speak() {
	status, body := x.form.whole(x.ask, x.reply)
	kind, parts := "application/json", [][]byte{body}
	if x.ask.stream && status == http.StatusOK {
		kind, parts = "text/event-stream", x.form.events(x.ask, x.reply)
	}
	x.tell()
	half := len(parts) / 2
	switch x.fault {
	case Empty:
		x.send(status, kind, nil)
	case Malformed:
		p := parts[half]
		parts[half] = p[:len(p)*2/3]
		if x.ask.stream {
			parts[half] = append(bytes.TrimRight(parts[half], "\n"), "\n\n"...)
		}
		x.sendAll(status, kind, parts)
	case ErrorMidway:
		x.sendAll(status, kind, append(parts[:half:half], x.form.midway()))
	case Trickle:
		x.trickle(status, kind, bytes.Join(parts, nil))
	case ResetBody, Cut, Stall:
		x.breakOff(status, kind, bytes.Join(parts, nil))
	default:
		x.sendAll(status, kind, parts)
	}
}

// tell sets the headers of a request that was let through.
func (x *exchange) tell() {
	h := x.w.Header()
	switch x.form.(type) {
	case anthropic:
		h.Set("Request-Id", "req_"+x.reply.id)
		h.Set("Anthropic-Organization-Id", "org-fake")
	case gemini:
	default:
		h.Set("X-Request-Id", "req_"+x.reply.id)
	}
}

// fail answers with an error.
func (x *exchange) fail(p problem) {
	x.tell()
	x.send(p.status, "application/json", x.form.fail(p))
}

func (x *exchange) send(status int, kind string, body []byte) {
	x.sendAll(status, kind, [][]byte{body})
}

// sendAll writes parts, each flushed where there are many.
func (x *exchange) sendAll(status int, kind string, parts [][]byte) {
	x.head(status, kind)
	if len(parts) == 1 {
		x.w.Header().Set("Content-Length", strconv.Itoa(len(parts[0])))
	}
	x.w.WriteHeader(status)
	flush := http.NewResponseController(x.w).Flush
	for i, p := range parts {
		if _, err := x.w.Write(p); err != nil {
			return
		}
		if len(parts) > 1 && (i%8 == 0 || i == len(parts)-1) {
			if flush() != nil {
				return
			}
		}
	}
	x.whole = true
}

func (x *exchange) head(status int, kind string) {
	x.status = status
	x.w.Header().Set("Content-Type", kind)
}

// trickle writes a body in about forty pieces.
func (x *exchange) trickle(status int, kind string, body []byte) {
	x.head(status, kind)
	x.w.WriteHeader(status)
	pause, flush := x.opt.Pause, http.NewResponseController(x.w).Flush
	if pause == 0 {
		pause = time.Millisecond
	}
	for size := len(body)/40 + 1; len(body) > 0; {
		n := min(size, len(body))
		if _, err := x.w.Write(body[:n]); err != nil || flush() != nil || !x.sleep(pause) {
			return
		}
		body = body[n:]
	}
	x.whole = true
}

// breakOff promises a whole body, writes half of it, and ends as the fault says.
func (x *exchange) breakOff(status int, kind string, body []byte) {
	x.status = status
	if x.fault != Stall {
		var b bytes.Buffer
		fmt.Fprintf(&b, "HTTP/1.1 %d %s\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n", status, http.StatusText(status), kind, len(body))
		b.Write(body[:len(body)/2])
		x.reset(b.Bytes())
		return
	}
	x.head(status, kind)
	x.w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	x.w.WriteHeader(status)
	_, _ = x.w.Write(body[:len(body)/2])
	_ = http.NewResponseController(x.w).Flush()
	<-x.r.Context().Done()
}

// reset writes what is given and drops the connection: with a reset, but for
// Cut. A connection that cannot be taken over is aborted.
func (x *exchange) reset(head []byte) {
	conn, _, err := http.NewResponseController(x.w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	defer conn.Close()
	if _, err := io.Copy(conn, bytes.NewReader(head)); err != nil {
		return
	}
	if tcp, ok := conn.(*net.TCPConn); ok && x.fault != Cut {
		if len(head) > 0 { // a reset may overtake what was written: let it arrive
			x.sleep(time.Millisecond)
		}
		_ = tcp.SetLinger(0)
	}
}
