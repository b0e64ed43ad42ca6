/* The bytes of a request, written once, and the position where each request inserts its key. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *request, *keys;
static size_t request_length, key_offset, key_length, key_count;

static char *read_file(const char *path, size_t *length) {
  FILE *file = fopen(path, "r");
  if (!file) {
    perror(path);
    exit(2);
  }
  fseek(file, 0, SEEK_END);
  *length = ftell(file);
  rewind(file);
  char *text = malloc(*length + 1);
  *length = fread(text, 1, *length, file);
  fclose(file);
  while (*length > 0 && text[*length - 1] == '\n') --*length;
  text[*length] = 0;
  return text;
}

/* Lines of one length become one block without line ends. */
static void read_keys(const char *path) {
  size_t length;
  keys = read_file(path, &length);
  key_length = strcspn(keys, "\n");
  key_count = (length + 1) / (key_length + 1);
  for (size_t i = 0; i < key_count; i++) memmove(keys + i * key_length, keys + i * (key_length + 1), key_length);
}

static void write_request(int port, const char *path, const char *headers, const char *body_file) {
  size_t body_length = 0;
  char *body = body_file ? read_file(body_file, &body_length) : "";
  request = malloc(body_length + strlen(headers) + key_length + 1024);
  request_length = sprintf(request, "%s %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n%s", body_file ? "POST" : "GET", path,
                           port, headers);
  if (key_count > 0) {
    request_length += sprintf(request + request_length, "Authorization: Bearer ");
    key_offset = request_length;
    request_length += key_length;
    request_length += sprintf(request + request_length, "\r\n");
  }
  request_length += sprintf(request + request_length, "Content-Type: application/json\r\nContent-Length: %zu\r\n\r\n",
                            body_length);
  memcpy(request + request_length, body, body_length);
  request_length += body_length;
}
