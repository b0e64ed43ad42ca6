/* A cheap client: closed loop or a fixed rate, whole responses or streams, one line of JSON at the end.
 *
 *   load -p PORT[,PORT] [-c CONNECTIONS] [-d SECONDS] [-w WARM_UP_SECONDS] [-r PER_SECOND] [-n MOST_REQUESTS]
 *        [-b BODY_FILE] [-u PATH] [-H "name: value"]... [-k KEY_FILE] [-e CHUNKS_PER_STREAM] [-l LATE_MS] [-x DRAIN_SECONDS]
 *
 * Without a rate each connection sends its next request when the last one ended. With one, latency counts from the moment
 * a request was due, so that a stalled server cannot hide it. Keys are lines of one length; each request takes one
 * at random. Connections are opened when they are first needed. Times are in microseconds.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "request.h"
#include "samples.h"

#define BUFFER 16384
#define SECOND 1000000000ull
#define CLOCK_DIGITS 19

enum state { IDLE, HEAD, BODY };
enum chunk_state { SIZE_LINE, DATA, AFTER_DATA, TRAILER };

typedef struct {
  int fd, port, sent, status, is_measured, is_chunked, has_first;
  enum state state;
  enum chunk_state chunk_state;
  long left; /* of the body, or of the piece of a chunked one; -1: until the connection ends */
  uint64_t due;
  size_t key;
  int chunks, matched, digit_count;
  char digits[CLOCK_DIGITS + 1];
  char buffer[BUFFER];
  int length;
} connection;

static connection *connections;
static int connection_count = 1, ports[16], port_count, poller, active;
static int *idle, idle_count;
static double seconds = 5, warm_up = 1, rate = 0, drain = 0;
static long most_requests = -1, issued, expected_chunks;
static uint64_t late_ns = 20000000ull;
static uint64_t began, measure_from, measure_to;
static samples latency, first_byte, first_event, chunk_delay;
static uint64_t completed, measured, rejected, failed, chunks, measured_chunks, late_chunks, missing_chunks, short_streams;

static uint64_t now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * SECOND + t.tv_nsec;
}

static void listen_for(connection *c, uint32_t events) {
  struct epoll_event event = {.events = events, .data.ptr = c};
  epoll_ctl(poller, EPOLL_CTL_MOD, c->fd, &event);
}

static void dial(connection *c) {
  int one = 1;
  c->fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  if (c->fd < 0) {
    perror("socket");
    exit(3);
  }
  setsockopt(c->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  struct sockaddr_in address = {
    .sin_family = AF_INET, .sin_port = htons(c->port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  connect(c->fd, (void *)&address, sizeof address);
  struct epoll_event event = {.events = EPOLLIN, .data.ptr = c};
  epoll_ctl(poller, EPOLL_CTL_ADD, c->fd, &event);
}

static void hang_up(connection *c) {
  close(c->fd);
  c->fd = -1;
}

static void send_rest(connection *c) {
  int had_waited = c->sent >= 0;
  if (c->sent < 0) c->sent = 0;
  if (key_count > 0) memcpy(request + key_offset, keys + c->key * key_length, key_length);
  while ((size_t)c->sent < request_length) {
    ssize_t n = send(c->fd, request + c->sent, request_length - c->sent, MSG_NOSIGNAL);
    if (n < 0) {
      listen_for(c, EPOLLIN | EPOLLOUT);
      return;
    }
    c->sent += n;
  }
  if (had_waited) listen_for(c, EPOLLIN);
}

static void start(connection *c, uint64_t due) {
  if (c->fd < 0) dial(c);
  c->state = HEAD;
  c->length = c->has_first = c->matched = c->chunks = 0;
  c->sent = -1;
  c->due = due;
  c->is_measured = due >= measure_from && due < measure_to;
  if (key_count > 0) c->key = (size_t)(drand48() * key_count);
  issued++;
  active++;
  send_rest(c);
}

static int may_start(void) {
  return now_ns() < measure_to && (most_requests < 0 || issued < most_requests);
}

static void print_rejection(const connection *c) {
  static int printed;
  if (printed++ == 0) fprintf(stderr, "first rejection, status %d: %.600s\n", c->status, c->buffer);
}

static void finish(connection *c, int has_failed) {
  uint64_t now = now_ns();
  active--;
  if (has_failed) failed++;
  else if (c->status / 100 != 2) rejected++;
  else {
    completed++;
    if (c->is_measured) {
      measured++;
      add_sample(&latency, now - c->due);
    }
  }
  if (expected_chunks > 0 && c->chunks < expected_chunks) {
    short_streams++;
    missing_chunks += expected_chunks - c->chunks;
  }
  c->state = IDLE;
  if (has_failed) hang_up(c);
  if (rate > 0) idle[idle_count++] = c - connections;
  else if (may_start()) start(c, now_ns());
}

static void hear_chunk(connection *c, uint64_t now) {
  uint64_t sent_at = strtoull(c->digits, NULL, 10), delay = now > sent_at ? now - sent_at : 0;
  chunks++;
  c->chunks++;
  if (now < measure_from || now >= measure_to) return;
  measured_chunks++;
  add_sample(&chunk_delay, delay);
  if (delay > late_ns) late_chunks++;
}

/* Finds the time that the upstream wrote into each chunk, also if a read ends within it. */
static void scan_chunks(connection *c, const char *text, long length, uint64_t now) {
  static const char mark[] = " t=";
  for (long i = 0; i < length; i++) {
    char letter = text[i];
    if (c->matched < 3) {
      c->matched = letter == mark[c->matched] ? c->matched + 1 : letter == ' ';
      c->digit_count = 0;
    } else if (letter >= '0' && letter <= '9') {
      c->digits[c->digit_count++] = letter;
      if (c->digit_count == CLOCK_DIGITS) {
        hear_chunk(c, now);
        c->matched = 0;
      }
    } else c->matched = letter == ' ';
  }
}

static void hear_body(connection *c, const char *text, long length, uint64_t now) {
  if (!c->has_first && length > 0) {
    c->has_first = 1;
    if (c->is_measured) add_sample(&first_event, now - c->due);
  }
  if (expected_chunks > 0) scan_chunks(c, text, length, now);
}

/* Returns the bytes of the body, or NULL while the headers are incomplete. */
static char *read_head(connection *c, uint64_t now) {
  c->buffer[c->length] = 0;
  char *end = memmem(c->buffer, c->length, "\r\n\r\n", 4);
  if (!end) return NULL;
  if (c->is_measured) add_sample(&first_byte, now - c->due);
  c->status = atoi(c->buffer + 9);
  if (c->status / 100 != 2) print_rejection(c);
  *end = 0;
  char *field = strcasestr(c->buffer, "\r\ncontent-length:");
  c->is_chunked = !field && strcasestr(c->buffer, "\r\ntransfer-encoding: chunked");
  c->chunk_state = SIZE_LINE;
  c->left = field ? atol(field + 17) : c->is_chunked ? 0 : -1;
  c->state = BODY;
  return end + 4;
}

static void read_chunked(connection *c, char *at, long length, uint64_t now) {
  while (length > 0) {
    char *line_end = c->chunk_state == SIZE_LINE || c->chunk_state == TRAILER ? memchr(at, '\n', length) : at;
    if (!line_end) break;
    if (c->chunk_state == SIZE_LINE) {
      c->left = strtol(at, NULL, 16);
      length -= line_end + 1 - at;
      at = line_end + 1;
      c->chunk_state = c->left > 0 ? DATA : TRAILER;
    } else if (c->chunk_state == DATA) {
      long take = length < c->left ? length : c->left;
      hear_body(c, at, take, now);
      at += take;
      length -= take;
      c->left -= take;
      if (c->left == 0) c->chunk_state = AFTER_DATA;
    } else if (c->chunk_state == AFTER_DATA) {
      if (length < 2) break;
      at += 2;
      length -= 2;
      c->chunk_state = SIZE_LINE;
    } else {
      int is_last = line_end - at <= 1;
      length -= line_end + 1 - at;
      at = line_end + 1;
      if (is_last) {
        c->length = 0;
        return finish(c, 0);
      }
    }
  }
  if (length > 0) memmove(c->buffer, at, length);
  c->length = length;
}

static void on_readable(connection *c) {
  ssize_t n = recv(c->fd, c->buffer + c->length, BUFFER - 1 - c->length, 0);
  if (n <= 0) {
    if (n < 0 && errno == EAGAIN) return;
    if (c->state == IDLE) return hang_up(c);
    int was_whole = c->state == BODY && !c->is_chunked && c->left < 0;
    if (was_whole) hang_up(c);
    return finish(c, !was_whole);
  }
  uint64_t now = now_ns();
  c->length += n;
  char *at = c->buffer;
  if (c->state == IDLE) return hang_up(c);
  if (c->state == HEAD && !(at = read_head(c, now))) return;
  long length = c->buffer + c->length - at;
  if (c->is_chunked) return read_chunked(c, at, length, now);
  hear_body(c, at, length, now);
  if (c->left > 0) c->left -= length;
  c->length = 0;
  if (c->left == 0) finish(c, 0);
}

/* Starts requests that are due. Returns the time until the next one. */
static uint64_t start_due(uint64_t now) {
  static uint64_t begun;
  while (rate > 0) {
    uint64_t due = began + (uint64_t)(begun * (SECOND / rate));
    if (due >= measure_to || (most_requests >= 0 && issued >= most_requests)) break;
    if (due > now) return due - now;
    if (idle_count == 0) return 1000000ull;
    start(&connections[idle[--idle_count]], due);
    begun++;
    now = now_ns();
  }
  return SECOND / 5;
}

static void run(void) {
  struct epoll_event events[512];
  if (rate > 0) for (int i = connection_count; i > 0; i--) idle[idle_count++] = i - 1;
  else for (int i = 0; i < connection_count && may_start(); i++) start(&connections[i], now_ns());
  for (;;) {
    uint64_t now = now_ns(), wait = start_due(now);
    int is_over = now >= measure_to || (most_requests >= 0 && issued >= most_requests);
    if (is_over && (active == 0 || now > measure_to + (uint64_t)(drain * SECOND))) return;
    struct timespec limit = {wait / SECOND, wait % SECOND};
    int ready = epoll_pwait2(poller, events, 512, &limit, NULL);
    for (int i = 0; i < ready; i++) {
      connection *c = events[i].data.ptr;
      if (c->fd >= 0 && (events[i].events & EPOLLOUT) && c->state != IDLE) send_rest(c);
      if (c->fd >= 0 && (events[i].events & (EPOLLIN | EPOLLHUP | EPOLLERR))) on_readable(c);
    }
  }
}

int main(int count, char **arguments) {
  char headers[65536] = "", *body_file = NULL, *key_file = NULL, *path = "/v1/chat/completions";
  int option, header_length = 0;
  while ((option = getopt(count, arguments, "p:c:d:w:r:n:b:u:H:k:e:l:x:")) != -1) switch (option) {
    case 'p': for (char *at = strtok(optarg, ","); at; at = strtok(NULL, ",")) ports[port_count++] = atoi(at); break;
    case 'c': connection_count = atoi(optarg); break;
    case 'd': seconds = atof(optarg); break;
    case 'w': warm_up = atof(optarg); break;
    case 'r': rate = atof(optarg); break;
    case 'n': most_requests = atol(optarg); break;
    case 'b': body_file = optarg; break;
    case 'u': path = optarg; break;
    case 'H': header_length += sprintf(headers + header_length, "%s\r\n", optarg); break;
    case 'k': key_file = optarg; break;
    case 'e': expected_chunks = atol(optarg); break;
    case 'l': late_ns = atof(optarg) * 1e6; break;
    case 'x': drain = atof(optarg); break;
    default: return 2;
  }
  if (port_count == 0) return 2;
  if (key_file) read_keys(key_file);
  write_request(ports[0], path, headers, body_file);
  struct rlimit files;
  getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max;
  setrlimit(RLIMIT_NOFILE, &files);

  poller = epoll_create1(0);
  connections = calloc(connection_count, sizeof *connections);
  idle = malloc(connection_count * sizeof *idle);
  for (int i = 0; i < connection_count; i++) {
    connections[i].fd = -1;
    connections[i].port = ports[i % port_count];
  }
  began = now_ns();
  measure_from = began + warm_up * SECOND;
  measure_to = measure_from + seconds * SECOND;
  run();

  double took = (now_ns() < measure_to ? now_ns() - measure_from : measure_to - measure_from) / 1e9;
  printf("{\"completed\":%llu,\"rejected\":%llu,\"failed\":%llu,\"unfinished\":%d,\"issued\":%ld,\"seconds\":%.3f,"
         "\"perSecond\":%.1f,\"chunks\":%llu,\"chunksPerSecond\":%.1f,\"lateChunks\":%llu,\"missingChunks\":%llu,"
         "\"shortStreams\":%llu,",
         (unsigned long long)completed, (unsigned long long)rejected, (unsigned long long)failed, active, issued, took,
         measured / took, (unsigned long long)chunks, measured_chunks / took, (unsigned long long)late_chunks,
         (unsigned long long)missing_chunks, (unsigned long long)short_streams);
  print_samples("latency", &latency);
  print_samples("firstByte", &first_byte);
  print_samples("firstEvent", &first_event);
  print_samples("chunkDelay", &chunk_delay);
  struct rusage used;
  getrusage(RUSAGE_SELF, &used);
  printf("\"cpuMicroseconds\":%lld}\n", (used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1000000ll +
                                          used.ru_utime.tv_usec + used.ru_stime.tv_usec);
  return 0;
}
