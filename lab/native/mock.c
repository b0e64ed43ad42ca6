/* An upstream that is never the bottleneck: one thread, epoll, no allocation per response.
 *
 * The path selects the protocol: Anthropic for `.../messages`, OpenAI for everything else. The model name selects the
 * response: a body with "stream":true and a model that ends in mock-<N>x<MS> gets N chunks, MS apart (0: back
 * to back); any other body gets about 1 KB of JSON. Each chunk has the monotonic time of its sending in nanoseconds,
 * so that a client on the same machine can measure its delay.
 *
 *   mock PORT
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "responses.h"

#define MAX_CONNECTIONS 65536
#define FIRST_INPUT 4096
#define LARGEST_INPUT (16 << 20)

typedef struct {
  int fd;
  enum protocol protocol;
  int streaming, chunks_left, step_ms;
  uint64_t due;
  int slot; /* place in the heap of due streams, counted from 1; 0 while it is not there */
  char *input;
  int input_length, input_size;
  char output[2048];
  int output_length, output_sent, waits_for_room;
} connection;

static connection *connections[MAX_CONNECTIONS];
static connection *due_heap[MAX_CONNECTIONS];
static int heap_length, poller;

static uint64_t now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000ull + t.tv_nsec;
}

static void put(int index, connection *c) {
  due_heap[index] = c;
  c->slot = index + 1;
}

static void move_up(int index) {
  connection *c = due_heap[index];
  while (index > 0 && due_heap[(index - 1) / 2]->due > c->due) {
    put(index, due_heap[(index - 1) / 2]);
    index = (index - 1) / 2;
  }
  put(index, c);
}

static void move_down(int index) {
  connection *c = due_heap[index];
  for (;;) {
    int child = 2 * index + 1;
    if (child >= heap_length) break;
    if (child + 1 < heap_length && due_heap[child + 1]->due < due_heap[child]->due) child++;
    if (due_heap[child]->due >= c->due) break;
    put(index, due_heap[child]);
    index = child;
  }
  put(index, c);
}

static void wake_at_due(connection *c) {
  put(heap_length++, c);
  move_up(heap_length - 1);
}

static void forget_due(connection *c) {
  if (c->slot == 0) return;
  int index = c->slot - 1;
  connection *last = due_heap[--heap_length];
  c->slot = 0;
  if (index == heap_length) return;
  put(index, last);
  move_down(index);
  move_up(last->slot - 1);
}

static void drop(connection *c) {
  forget_due(c);
  close(c->fd);
  connections[c->fd] = NULL;
  free(c->input);
  free(c);
}

static void listen_for(connection *c, int waits_for_room) {
  if (c->waits_for_room == waits_for_room) return;
  c->waits_for_room = waits_for_room;
  struct epoll_event event = {.events = EPOLLIN | (waits_for_room ? EPOLLOUT : 0), .data.ptr = c};
  epoll_ctl(poller, EPOLL_CTL_MOD, c->fd, &event);
}

enum flushed { GONE, FULL, EMPTY };

static enum flushed flush(connection *c) {
  while (c->output_sent < c->output_length) {
    ssize_t n = send(c->fd, c->output + c->output_sent, c->output_length - c->output_sent, MSG_NOSIGNAL);
    if (n < 0) {
      if (errno == EAGAIN) {
        listen_for(c, 1);
        return FULL;
      }
      drop(c);
      return GONE;
    }
    c->output_sent += n;
  }
  c->output_length = c->output_sent = 0;
  listen_for(c, 0);
  return EMPTY;
}

static void add_piece(connection *c, const char *text, int length) {
  c->output_length += sprintf(c->output + c->output_length, "%x\r\n", length);
  memcpy(c->output + c->output_length, text, length);
  c->output_length += length;
  memcpy(c->output + c->output_length, "\r\n", 2);
  c->output_length += 2;
}

static void add_chunk(connection *c) {
  char text[512];
  unsigned long long sent_at = now_ns();
  int length = c->protocol == OPENAI
    ? sprintf(text, OPENAI_CHUNK "\"choices\":[{\"index\":0,\"delta\":{\"content\":\" t=%019llu\"},\"logprobs\":null,"
                                 "\"finish_reason\":null}]}\n\n", sent_at)
    : sprintf(text, "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,"
                    "\"delta\":{\"type\":\"text_delta\",\"text\":\" t=%019llu\"}}\n\n", sent_at);
  add_piece(c, text, length);
}

static void continue_stream(connection *c) {
  while (c->streaming) {
    if (c->chunks_left > 0) {
      c->chunks_left--;
      add_chunk(c);
    } else {
      const char *end = c->protocol == OPENAI ? OPENAI_END : ANTHROPIC_END;
      add_piece(c, end, strlen(end));
      memcpy(c->output + c->output_length, "0\r\n\r\n", 5);
      c->output_length += 5;
      c->streaming = 0;
    }
    enum flushed flushed = flush(c);
    if (flushed == GONE) return;
    if (c->streaming && c->step_ms > 0) {
      c->due += (uint64_t)c->step_ms * 1000000ull;
      wake_at_due(c);
      return;
    }
    if (flushed == FULL) return; /* goes on when there is room */
  }
}

static void start_stream(connection *c, const char *model) {
  c->chunks_left = 50;
  c->step_ms = 10;
  if (model) sscanf(model, "mock-%dx%d", &c->chunks_left, &c->step_ms);
  c->streaming = 1;
  c->output_length = sprintf(c->output, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-cache\r\n"
                                        "x-request-id: req_bench\r\nTransfer-Encoding: chunked\r\n\r\n");
  if (c->protocol == ANTHROPIC) add_piece(c, ANTHROPIC_BEGIN, strlen(ANTHROPIC_BEGIN));
  c->due = now_ns();
  continue_stream(c);
}

static void respond(connection *c, const char *body, long length) {
  const char *model = memmem(body, length, "mock-", 5);
  if (memmem(body, length, "\"stream\":true", 13)) start_stream(c, model);
  else if (send(c->fd, whole_responses[c->protocol], whole_lengths[c->protocol], MSG_NOSIGNAL) < 0) drop(c);
}

/* Length of the body; -1 while it is unknown, as within a chunked body. */
static long body_length(connection *c, const char *head_end) {
  const char *field = strcasestr(c->input, "\r\ncontent-length:");
  if (field && field < head_end) return atol(field + 17);
  field = strcasestr(c->input, "\r\ntransfer-encoding: chunked");
  if (!field || field > head_end) return 0;
  const char *body = head_end + 4;
  long have = c->input + c->input_length - body;
  return have >= 5 && !memcmp(c->input + c->input_length - 5, "0\r\n\r\n", 5) ? have : -1;
}

static int make_room(connection *c) {
  if (c->input_size - c->input_length > 1) return 1;
  if (c->input_size >= LARGEST_INPUT) return 0;
  c->input_size *= 4;
  c->input = realloc(c->input, c->input_size);
  return 1;
}

static void on_input(connection *c) {
  for (;;) {
    if (!make_room(c)) return drop(c);
    ssize_t n = recv(c->fd, c->input + c->input_length, c->input_size - 1 - c->input_length, 0);
    if (n < 0 && errno == EAGAIN) return;
    if (n <= 0) return drop(c);
    c->input_length += n;
    c->input[c->input_length] = 0;
    int is_filled = c->input_length == c->input_size - 1;
    const char *head_end = memmem(c->input, c->input_length, "\r\n\r\n", 4);
    long need = head_end ? body_length(c, head_end) : -1;
    if (need >= 0 && c->input + c->input_length - (head_end + 4) >= need) {
      const char *line_end = memchr(c->input, '\r', c->input_length);
      c->protocol = memmem(c->input, line_end - c->input, "/messages", 9) ? ANTHROPIC : OPENAI;
      c->input_length = 0;
      return respond(c, head_end + 4, need);
    }
    if (!is_filled) return;
  }
}

static void on_due(connection *c) {
  if (c->waits_for_room) { /* its reader is slow: one step later */
    c->due += (uint64_t)c->step_ms * 1000000ull;
    wake_at_due(c);
  } else continue_stream(c);
}

static void accept_all(int listener) {
  int one = 1, fd;
  while ((fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK)) >= 0) {
    if (fd >= MAX_CONNECTIONS) {
      close(fd);
      continue;
    }
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    connection *c = calloc(1, sizeof *c);
    c->fd = fd;
    c->input_size = FIRST_INPUT;
    c->input = malloc(FIRST_INPUT);
    connections[fd] = c;
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = c};
    epoll_ctl(poller, EPOLL_CTL_ADD, fd, &event);
  }
}

int main(int count, char **arguments) {
  int port = count > 1 ? atoi(arguments[1]) : 9001, one = 1;
  struct rlimit files;
  getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max;
  setrlimit(RLIMIT_NOFILE, &files);
  signal(SIGPIPE, SIG_IGN);
  prepare_responses();

  int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
  struct sockaddr_in address = {
    .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  if (bind(listener, (void *)&address, sizeof address) || listen(listener, 4096)) {
    perror("listen");
    return 1;
  }
  poller = epoll_create1(0);
  struct epoll_event of_listener = {.events = EPOLLIN, .data.ptr = NULL}, events[256];
  epoll_ctl(poller, EPOLL_CTL_ADD, listener, &of_listener);

  for (;;) {
    struct timespec wait, *limit = NULL;
    if (heap_length > 0) {
      uint64_t now = now_ns(), left = due_heap[0]->due > now ? due_heap[0]->due - now : 0;
      wait = (struct timespec){left / 1000000000ull, left % 1000000000ull};
      limit = &wait;
    }
    int ready = epoll_pwait2(poller, events, 256, limit, NULL);
    for (int i = 0; i < ready; i++) {
      connection *c = events[i].data.ptr;
      if (!c) {
        accept_all(listener);
        continue;
      }
      int fd = c->fd;
      if (events[i].events & (EPOLLIN | EPOLLHUP | EPOLLERR)) on_input(c);
      if ((events[i].events & EPOLLOUT) && connections[fd] == c && flush(c) == EMPTY && c->step_ms == 0)
        continue_stream(c);
    }
    uint64_t now = now_ns();
    while (heap_length > 0 && due_heap[0]->due <= now) {
      connection *c = due_heap[0];
      forget_due(c);
      on_due(c);
    }
  }
}
