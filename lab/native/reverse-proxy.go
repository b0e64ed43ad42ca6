// The reverse proxy of Go's standard library with nothing added: PORT and UPSTREAM are read from the environment.
package main

import (
	"log"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"time"
)

func main() {
	upstream, err := url.Parse(os.Getenv("UPSTREAM"))
	if err != nil {
		log.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(upstream)
	proxy.FlushInterval = -1 // as chunks come
	proxy.Transport = &http.Transport{
		MaxIdleConns:        16384,
		MaxIdleConnsPerHost: 16384,
		IdleConnTimeout:     90 * time.Second,
		DisableCompression:  true,
	}
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), proxy))
}
