/* The responses of the upstream, by protocol. */
#include <stdio.h>

enum protocol { OPENAI, ANTHROPIC };

static char whole_responses[2][4096];
static int whole_lengths[2];

#define OPENAI_CHUNK                                                                                                   \
  "data: {\"id\":\"chatcmpl-bench0001\",\"object\":\"chat.completion.chunk\",\"created\":1700000000,"                  \
  "\"model\":\"mock\",\"system_fingerprint\":\"fp_bench\","
#define OPENAI_END                                                                                                     \
  OPENAI_CHUNK "\"choices\":[{\"index\":0,\"delta\":{},\"logprobs\":null,\"finish_reason\":\"stop\"}]}\n\n"            \
  OPENAI_CHUNK "\"choices\":[],\"usage\":{\"prompt_tokens\":200,\"completion_tokens\":50,\"total_tokens\":250}}\n\n"   \
  "data: [DONE]\n\n"
#define ANTHROPIC_BEGIN                                                                                                \
  "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"id\":\"msg_bench0001\",\"type\":\"message\"," \
  "\"role\":\"assistant\",\"model\":\"mock\",\"content\":[],\"stop_reason\":null,\"stop_sequence\":null,"              \
  "\"usage\":{\"input_tokens\":200,\"output_tokens\":1}}}\n\n"                                                         \
  "event: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":0,"                                   \
  "\"content_block\":{\"type\":\"text\",\"text\":\"\"}}\n\n"
#define ANTHROPIC_END                                                                                                  \
  "event: content_block_stop\ndata: {\"type\":\"content_block_stop\",\"index\":0}\n\n"                                 \
  "event: message_delta\ndata: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\","                   \
  "\"stop_sequence\":null},\"usage\":{\"output_tokens\":50}}\n\n"                                                      \
  "event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n"

static void prepare_responses(void) {
  char text[700], json[2048];
  int length = 0;
  while (length < 640) length += sprintf(text + length, "the tide comes in at noon ");
  const char *shapes[2] = {
    "{\"id\":\"chatcmpl-bench0001\",\"object\":\"chat.completion\",\"created\":1700000000,\"model\":\"mock\","
    "\"system_fingerprint\":\"fp_bench\",\"choices\":[{\"index\":0,\"message\":{\"role\":\"assistant\",\"content\":\"%s\","
    "\"refusal\":null},\"logprobs\":null,\"finish_reason\":\"stop\"}],\"usage\":{\"prompt_tokens\":200,"
    "\"completion_tokens\":150,\"total_tokens\":350,\"prompt_tokens_details\":{\"cached_tokens\":0},"
    "\"completion_tokens_details\":{\"reasoning_tokens\":0}}}",
    "{\"id\":\"msg_bench0001\",\"type\":\"message\",\"role\":\"assistant\",\"model\":\"mock\",\"content\":[{\"type\":\"text\","
    "\"text\":\"%s\"}],\"stop_reason\":\"end_turn\",\"stop_sequence\":null,\"usage\":{\"input_tokens\":200,"
    "\"cache_creation_input_tokens\":0,\"cache_read_input_tokens\":0,\"output_tokens\":150}}",
  };
  for (int protocol = OPENAI; protocol <= ANTHROPIC; protocol++) {
    length = sprintf(json, shapes[protocol], text);
    whole_lengths[protocol] = sprintf(whole_responses[protocol],
      "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nx-request-id: req_bench\r\nContent-Length: %d\r\n\r\n%s",
      length, json);
  }
}
