import { type Shape, streamShape } from './shape.ts'

const path = '/v1/messages'
const WHOLE =
  '{"id":"msg_1","type":"message","role":"assistant","model":"same-claude","content":[{"type":"text","text":"High water."}],"stop_reason":"end_turn","stop_sequence":null,"usage":{"input_tokens":5,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"output_tokens":3}}'

const event = (type: string, members = '') => `event: ${type}\ndata: {"type":"${type}"${members && ','}${members}}\n\n`
const START = event(
  'message_start',
  '"message":{"id":"msg_1","type":"message","role":"assistant","model":"same-claude","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":5,"output_tokens":1,"service_tier":"standard"}}',
)
const END =
  event(
    'message_delta',
    '"delta":{"stop_reason":"end_turn","stop_sequence":null,"container":null},"usage":{"output_tokens":3}',
  ) + event('message_stop')

export const MESSAGES_SHAPES: readonly Shape[] = [
  {
    name: 'instructions in blocks with cache marks, and unknown fields',
    path,
    body: '{"model":"same-claude","max_tokens":100,"system":[{"type":"text","text":"s","cache_control":{"type":"ephemeral","ttl":"1h"},"x":null}],"x_future":{"z":0,"a":[]},"messages":[{"role":"user","content":"hi"}]}',
    response: WHOLE.replace('"usage"', '"container":null,"context_management":{"applied_edits":[]},"usage"'),
  },
  {
    name: 'signed thinking, and redacted thinking',
    path,
    body: '{"model":"same-claude","max_tokens":2000,"thinking":{"type":"enabled","budget_tokens":1024},"messages":[{"role":"user","content":"hi"},{"role":"assistant","content":[{"type":"thinking","thinking":"hm","signature":"EqQBCkYIBhgC+/=="},{"type":"redacted_thinking","data":"EmwKAhgBEgy3"},{"type":"text","text":"ho"}]},{"role":"user","content":"go on"}]}',
    response: WHOLE.replace(
      '[{"type":"text"',
      '[{"type":"thinking","thinking":"hm\\n","signature":"EqQBCkYIBhgC+/=="},{"type":"text","citations":null',
    ),
  },
  {
    name: 'arguments with numbers beyond double precision, and results with images',
    path,
    body: '{"max_tokens":100,"model":"same-claude","messages":[{"role":"user","content":"hi"},{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"f","input":{ "n" : 1152921504606846977, "r":1.0 }}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","is_error":false,"content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"AAAA"}}]}]}],"tools":[{"name":"f","input_schema":{"type":"object","properties":{"n":{"type":"integer","maximum":12345678901234567890}}},"cache_control":null}]}',
    response: WHOLE.replace(
      '{"type":"text","text":"High water."}',
      '{"type":"tool_use","id":"toolu_2","name":"f","input":{"z":1152921504606846977,"a":[1.0,null]}}',
    ).replace('end_turn', 'tool_use'),
  },
  {
    name: 'explicit nulls and zeros',
    path,
    body: '{"model":"same-claude","max_tokens":1,"temperature":0.0,"top_k":0,"stop_sequences":[],"metadata":{"user_id":null},"stream":false,"messages":[{"role":"user","content":"hi"}]}',
    response: WHOLE,
  },
  {
    name: 'tools of the provider, and MCP servers',
    path,
    body: '{"model":"same-claude","max_tokens":100,"tools":[{"type":"web_search_20250305","name":"web_search","max_uses":5,"user_location":null}],"mcp_servers":[{"type":"url","url":"https://example.com/mcp","name":"x"}],"container":"c_1","messages":[{"role":"user","content":"hi"}]}',
    response: WHOLE.replace(
      '[{"type":"text"',
      '[{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{"query":"tide"}},{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[]},{"type":"text"',
    ),
  },
  streamShape({
    name: 'a stream with pings, events and unknown deltas',
    path,
    body: '{"stream":true,"messages":[{"content":"hi","role":"user"}],"max_tokens":100,"model":"same-claude","x":1e2}',
    response:
      START +
      event('content_block_start', '"index":0,"content_block":{"type":"text","text":""}') +
      event('ping') +
      event('content_block_delta', '"index":0,"delta":{"type":"text_delta","text":"High"},"x_id":1152921504606846977') +
      event(
        'content_block_delta',
        '"index":0,"delta":{"type":"citations_delta","citation":{"type":"char_location","n":0}}',
      ) +
      event('x_news', '"n":null') +
      event('ping') +
      event('content_block_delta', '"index":0,"delta":{"type":"text_delta","text":" \\u6c34 🌊"}') +
      event('content_block_stop', '"index":0') +
      END,
  }),
  streamShape({
    name: 'a stream of a tool call, with unusual spaces',
    path,
    body: '{ "model": "same-claude",\n  "max_tokens": 100, "stream": true,\n  "messages": [ {"role": "user", "content": [ {"type": "text", "text": "hi"} ] } ] }\n',
    response: `${START}${event('content_block_start', '"index":0,"content_block":{"type":"tool_use","id":"toolu_1","name":"f","input":{}}')}${event('content_block_delta', '"index":0,"delta":{"type":"input_json_delta","partial_json":"{ \\"n\\": 11529215046068"}')}${event('content_block_delta', '"index":0,"delta":{"type":"input_json_delta","partial_json":"46977}"}')}${event('content_block_stop', '"index":0')}${END.replace('end_turn', 'tool_use')}`,
  }),
  {
    name: 'another model name, and no other change',
    path,
    body: '{"max_tokens":100,"model":"alias-claude","messages":[{"role":"user","content":"hi","x":0.0}]}',
    sent: '{"max_tokens":100,"model":"same-claude","messages":[{"role":"user","content":"hi","x":0.0}]}',
    response: WHOLE,
  },
]
