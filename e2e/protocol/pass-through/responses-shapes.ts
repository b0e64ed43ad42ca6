import { type Shape, streamShape } from './shape.ts'

const path = '/v1/responses'
const OUTPUT =
  '[{"id":"msg_1","type":"message","status":"completed","role":"assistant","content":[{"type":"output_text","text":"High water.","annotations":[],"logprobs":[]}]}]'
const response = (status: string, output = '[]', more = '') =>
  `{"id":"resp_1","object":"response","created_at":1700000000,"status":"${status}","error":null,"incomplete_details":null,"model":"same-responses","output":${output},"temperature":1.0,"usage":${status === 'completed' ? '{"input_tokens":5,"input_tokens_details":{"cached_tokens":0},"output_tokens":3,"output_tokens_details":{"reasoning_tokens":0},"total_tokens":8}' : 'null'}${more}}`
const WHOLE = response('completed', OUTPUT)

const event = (type: string, members: string) => `event: ${type}\ndata: {"type":"${type}",${members}}\n\n`
const OPENING =
  event('response.created', `"sequence_number":0,"response":${response('in_progress')}`) +
  event('response.in_progress', `"sequence_number":1,"response":${response('in_progress')}`) +
  event(
    'response.output_item.added',
    '"sequence_number":2,"output_index":0,"item":{"id":"msg_1","type":"message","status":"in_progress","role":"assistant","content":[]}',
  )
const DELTAS =
  event(
    'response.output_text.delta',
    '"sequence_number":3,"item_id":"msg_1","output_index":0,"content_index":0,"delta":"High","logprobs":[],"obfuscation":"x9"',
  ) +
  event(
    'response.output_text.delta',
    '"sequence_number":4,"item_id":"msg_1","output_index":0,"content_index":0,"delta":" \\u6c34","x_id":1152921504606846977',
  )
const END = event('response.completed', `"sequence_number":5,"response":${WHOLE}`)

export const RESPONSES_SHAPES: readonly Shape[] = [
  {
    name: 'unknown fields',
    path,
    body: '{"model":"same-responses","input":"hi","x_future":{"a":[null]},"text":{"format":{"type":"text"},"x_verbosity":0},"include":["x.y"]}',
    response: response('completed', OUTPUT, ',"x_provider":[1,{"b":null}]'),
  },
  {
    name: 'items of known and unknown kinds',
    path,
    body: '{"input":[{"role":"user","content":[{"type":"input_text","text":"hi"},{"type":"x_part","n":0}]},{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"Z0FBQQ=="},{"type":"function_call","call_id":"c1","name":"f","arguments":"{ \\"n\\":9007199254740993 }","x":null},{"type":"function_call_output","call_id":"c1","output":"1.0"},{"type":"x_item","deep":{"er":[]}}],"model":"same-responses"}',
    response: WHOLE,
  },
  {
    name: 'explicit nulls and zeros',
    path,
    body: '{"model":"same-responses","input":"hi","temperature":0,"max_output_tokens":null,"previous_response_id":null,"store":false,"instructions":null,"top_logprobs":0,"metadata":{},"stream":false}',
    response: WHOLE.replace('"temperature":1.0', '"temperature":0.0,"max_output_tokens":null'),
  },
  {
    name: 'numbers beyond double precision, in unusual order',
    path,
    body: '{"tools":[{"type":"function","name":"f","parameters":{"properties":{"n":{"maximum":12345678901234567890}}},"strict":false}],"input":"hi","max_output_tokens":1e3,"model":"same-responses","metadata":{"n":"1"}}',
    response: response('completed', OUTPUT, ',"x_total":12345678901234567890'),
  },
  streamShape({
    name: 'a stream with events and unknown fields',
    path,
    body: '{ "stream":true , "model":"same-responses","input":"hi","stream_options":{"include_obfuscation":true} }',
    response:
      OPENING +
      event('response.x_search_call.searching', '"sequence_number":99,"item_id":"ws_1","q":null') +
      DELTAS +
      END,
  }),
  streamShape({
    name: 'a stream with unusual spaces',
    path,
    body: '\n{"model" :\t"same-responses",\n "input": [ {"role":"user","content":"hi \\u6f6e"} ], "stream": true}\n\n',
    response: `${OPENING}${DELTAS.replaceAll('data: ', 'data:')}${END}`,
  }),
  {
    name: 'another model name, and no other change',
    path,
    body: '{"input":"hi", "model": "alias-responses", "x":1.0}',
    sent: '{"input":"hi", "model": "same-responses", "x":1.0}',
    response: WHOLE,
  },
]
