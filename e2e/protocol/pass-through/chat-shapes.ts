import { type Shape, streamShape, withLast } from './shape.ts'

const path = '/v1/chat/completions'
const ASK_USAGE = '"stream_options":{"include_usage":true}'

const WHOLE =
  '{"id":"chatcmpl-1","object":"chat.completion","created":1700000000,"model":"same-chat","choices":[{"index":0,"message":{"role":"assistant","content":"High water.","refusal":null,"annotations":[]},"logprobs":null,"finish_reason":"stop"}],"usage":{"prompt_tokens":5,"completion_tokens":3,"total_tokens":8}}'

const chunk = (delta: string, more = '') =>
  `data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1700000000,"model":"same-chat","choices":[{"index":0,"delta":${delta},"finish_reason":null}]${more}}\n\n`
const FINISH =
  'data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1700000000,"model":"same-chat","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n'
const COUNTS =
  'data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1700000000,"model":"same-chat","choices":[],"usage":{"prompt_tokens":5,"completion_tokens":3,"total_tokens":8}}\n\n'
const DONE = 'data: [DONE]\n\n'
const TEXTS = chunk('{"role":"assistant","content":""}') + chunk('{"content":"High"}') + chunk('{"content":" water."}')

export const CHAT_SHAPES: readonly Shape[] = [
  {
    name: 'unknown fields, at every level',
    path,
    body: '{"model":"same-chat","x_trace":{"a":[1,{"b":null}]},"messages":[{"role":"user","content":"hi","x_mark":true}],"prediction":{"type":"content","content":"y","x":0}}',
    response: WHOLE.replace('"usage"', '"x_provider":{"queue":[null,0,""]},"service_tier":"default","usage"'),
  },
  {
    name: 'explicit nulls, zeros and empty values',
    path,
    body: '{"model":"same-chat","temperature":0,"top_p":null,"stop":null,"seed":0,"presence_penalty":-0.0,"logit_bias":{},"tools":[],"user":"","logprobs":false,"messages":[{"role":"user","content":"hi","name":null}]}',
    response: WHOLE.replace('"annotations":[]', '"annotations":[],"audio":null,"tool_calls":null'),
  },
  {
    name: 'numbers beyond double precision',
    path,
    body: '{"model":"same-chat","seed":12345678901234567890,"temperature":1.0,"top_p":1e0,"metadata":{"big":1152921504606846977,"long":0.1000000000000000055511151231257827,"exp":1E+2},"messages":[{"role":"user","content":"hi"}]}',
    response: WHOLE.replace('"created":1700000000', '"created":1700000000,"x_id":1152921504606846977,"x_ratio":1.0'),
  },
  {
    name: 'unusual field order, with the model last',
    path,
    body: '{"messages":[{"content":"hi","role":"user"}],"zebra":1,"n":1,"alpha":2,"model":"same-chat"}',
    response: WHOLE,
  },
  {
    name: 'unusual spaces, line breaks and escapes',
    path,
    body: '\n{ "model" : "same-chat",\r\n\t"messages":[ { "role" :"user", "content":"caf\\u00e9 \\/ 潮汐 \\ud83c\\udf0a 🌊 \\t" } ]\n  , "stream" : false }\n',
    response: `\n ${WHOLE.replaceAll(',"', ' ,\n  "').replace('High water.', 'High \\u6c34 \\/ 水.')}\n`,
  },
  {
    name: 'tools of known and unknown kinds',
    path,
    body: '{"model":"same-chat","tools":[{"type":"function","function":{"name":"f","strict":null,"parameters":{"type":"object","properties":{"n":{"const":9007199254740993}},"$defs":{}}}},{"type":"custom","custom":{"name":"grep","format":{"type":"text"}}},{"type":"x_tool","x":0}],"tool_choice":{"type":"function","function":{"name":"f"}},"parallel_tool_calls":false,"messages":[{"role":"user","content":"hi"}]}',
    response: WHOLE.replace(
      '"content":"High water."',
      '"content":null,"tool_calls":[{"id":"call_1","type":"function","function":{"name":"f","arguments":"{ \\"n\\" : 9007199254740993 }"},"x_extra":null}]',
    ),
  },
  {
    name: 'parts of known and unknown kinds',
    path,
    body: '{"model":"same-chat","messages":[{"role":"user","content":[{"type":"text","text":"look","cache_control":{"type":"ephemeral"}},{"type":"image_url","image_url":{"url":"data:image/png;base64,AAAA","detail":null}},{"type":"video_url","video_url":{"url":"https://example.com/v.mp4"},"fps":2.0}]}]}',
    response: WHOLE,
  },
  {
    name: 'a history with tool calls, results and thinking',
    path,
    body: '{"model":"same-chat","messages":[{"role":"system","content":"s"},{"role":"user","content":"u"},{"role":"assistant","content":null,"reasoning_content":"hm","tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":"{ \\"a\\":1.0 }"}}]},{"role":"tool","tool_call_id":"c1","content":"[1, 2]"}]}',
    response: WHOLE.replace('"refusal":null', '"reasoning_content":"hm ","refusal":null'),
  },
  streamShape({
    name: 'a stream for which only the gateway requests usage',
    path,
    body: '{"model":"same-chat","stream":true,"messages":[{"role":"user","content":"hi"}]}',
    sent: `{"model":"same-chat","stream":true,"messages":[{"role":"user","content":"hi"}],${ASK_USAGE}}`,
    response: TEXTS + FINISH + COUNTS + DONE,
    received: TEXTS + FINISH + DONE,
  }),
  streamShape({
    name: 'a stream for which the client requests usage',
    path,
    body: `{ "stream":true, ${ASK_USAGE}, "model":"same-chat", "x":null, "messages":[{"role":"user","content":"hi"}] }`,
    response: TEXTS + FINISH + COUNTS + DONE,
  }),
  streamShape({
    name: 'a stream with stream options, to which ours are added',
    path,
    body: '{"model":"same-chat","stream_options":{"include_obfuscation":false},"stream":true,"messages":[{"role":"user","content":"hi"}]}',
    sent: '{"model":"same-chat","stream_options":{"include_obfuscation":false,"include_usage":true},"stream":true,"messages":[{"role":"user","content":"hi"}]}',
    response: TEXTS + chunk('{}', ',"obfuscation":"aGk"') + FINISH + DONE,
  }),
  streamShape({
    name: 'a stream with spaces and line breaks in its JSON',
    path,
    body: '{\n  "model": "same-chat",\n  "seed": 12345678901234567890,\n  "stream": true,\n  "messages": [ {"role": "user", "content": "hi"} ]\n}\n',
    sent: withLast(
      '{\n  "model": "same-chat",\n  "seed": 12345678901234567890,\n  "stream": true,\n  "messages": [ {"role": "user", "content": "hi"} ]\n}\n',
      ASK_USAGE,
    ),
    response:
      chunk('{"role":"assistant","content":"High"}', ',"x_id":1152921504606846977,"x":{"z":1,"a":null}') +
      chunk('{"content":" \\u6c34 🌊","x_new":[0.0]}') +
      'event: x_news\ndata: {"object":"x.news","n":1.0}\n\n' +
      FINISH +
      DONE,
  }),
  streamShape({
    name: 'a stream with other framing: line ends, comments, multi-line data',
    path,
    body: `{"model":"same-chat","stream":true,${ASK_USAGE},"messages":[{"role":"user","content":"hi"}]}`,
    response: `id: 7\r\n${chunk('{"content":"High"}').replaceAll('\n', '\r\n')}: still here\n\ndata:{"id":"c","object":"chat.completion.chunk",\ndata:"created":1,"model":"m","choices":[{"index":0,"delta":{"content":" water."},"finish_reason":"stop"}]}\n\n${COUNTS}${DONE}`,
  }),
  {
    name: 'another model name, and no other change',
    path,
    body: '{ "n":1, "model" : "alias-chat" , "seed":12345678901234567890, "messages":[{"role":"user","content":"hi"}] }',
    sent: '{ "n":1, "model" : "same-chat" , "seed":12345678901234567890, "messages":[{"role":"user","content":"hi"}] }',
    response: WHOLE,
  },
]
