import { type Shape, streamShape, withLast } from './shape.ts'

const path = '/v1beta/interactions'
const MODEL = '"model":"same-interactions"'
const SAFETY = '"safety_settings":[{"type":"harassment","threshold":"block_only_high"}]'
/** The defaults of a new site. */
const OPERATORS = `"safety_settings":[${[
  'harassment',
  'hate_speech',
  'sexually_explicit',
  'dangerous_content',
  'civic_integrity',
]
  .map((type) => `{"type":"${type}","threshold":"operators_choice"}`)
  .join(',')}]`

const WHOLE =
  '{\n  "id": "v1_abc",\n  "object": "interaction", "model": "same-interactions",\n  "created": "2026-11-16T18:00:00Z",  "status": "completed",\n  "steps": [ {"type": "model_output", "content": [{"type": "text", "text": "High \\u6c34 🌊", "xText": null}]} ],\n  "usage": {"total_input_tokens": 5, "total_output_tokens": 3, "total_tokens": 8, "xUsage": 12345678901234567890}\n}\n'
const event = (name: string, members: string) =>
  `event: ${name}\ndata: {"event_type": "${name}", "event_id": "evt/${name}", ${members}}\n\n`
const CREATED = event(
  'interaction.created',
  '"interaction": {"id": "v1_abc", "model": "same-interactions", "status": "in_progress"}',
)
const COMPLETED = event(
  'interaction.completed',
  '"interaction": {"id": "v1_abc", "status": "completed", "usage": {"total_input_tokens": 5, "total_output_tokens": 3, "total_tokens": 8}}',
)
const DONE = 'event: done\ndata: [DONE]\n\n'
const delta = (members: string) => event('step.delta', `"index": 0, "delta": {${members}}`)

export const INTERACTIONS_SHAPES: readonly Shape[] = [
  {
    name: 'safety settings of the client, and unknown fields',
    path,
    body: `{${SAFETY},"x_future":{"z":[null,0],"a":""},${MODEL} , "input":"hi","store":false}`,
    response: WHOLE,
  },
  {
    name: "no safety settings, so the operator's are added",
    path,
    body: `{ ${MODEL}, "input":"hi", "generation_config":{"temperature":0.0} }`,
    sent: withLast(`{ ${MODEL}, "input":"hi", "generation_config":{"temperature":0.0} }`, OPERATORS),
    response: WHOLE,
  },
  {
    name: 'explicit nulls, zeros and numbers beyond double precision',
    path,
    body: `{${MODEL},"input":{"type":"text","text":"hi"},"generation_config":{"temperature":0,"seed":12345678901234567890,"stop_sequences":[],"thinking_level":null},"previous_interaction_id":null,"labels":{},${SAFETY}}`,
    response: WHOLE,
  },
  {
    name: 'tool calls, results and signatures',
    path,
    body: `{${MODEL},"input":[{"type":"user_input","content":[{"type":"text","text":"hi"}]},{"type":"thought","signature":"CtcBAcu98P/+=="},{"type":"function_call","id":"c1","name":"f","arguments":{ "n" : 1152921504606846977, "r":1.0 }},{"type":"function_result","call_id":"c1","result":{"output":[1.0,null]}},{"type":"x_step","x":[{}]}],"tools":[{"type":"function","name":"f","parameters":{"type":"object"}},{"type":"google_search"},{"type":"x_tool"}],${SAFETY}}`,
    response: WHOLE,
  },
  streamShape({
    name: 'a stream with unknown events, deltas and fields',
    path,
    body: `{${MODEL},"stream":true,"input":[{"type":"text","text":"hi"}],${SAFETY}}`,
    response:
      CREATED +
      event('step.start', '"index": 0, "step": {"type": "model_output"}') +
      delta('"type": "text", "text": "High", "xDelta": 1152921504606846977') +
      event('x.future', '"n": 1.0') +
      delta('"type": "text", "text": " \\u6c34 🌊"') +
      event('step.stop', '"index": 0') +
      COMPLETED +
      DONE,
  }),
  {
    name: 'another model name',
    path,
    body: `{ "model" : "alias-interactions" , "input":"hi", ${SAFETY} }`,
    sent: `{ "model" : "same-interactions" , "input":"hi", ${SAFETY} }`,
    response: WHOLE,
  },
]
