import { type Shape, streamShape, withLast } from './shape.ts'

const path = '/v1beta/models/same-gemini:generateContent'
const streamPath = '/v1beta/models/same-gemini:streamGenerateContent?alt=sse'
const SAFETY = '"safetySettings":[{"category":"HARM_CATEGORY_HARASSMENT","threshold":"BLOCK_ONLY_HIGH"}]'
/** The defaults of a new site. */
const OPERATORS = `"safetySettings":[${[
  'HARASSMENT',
  'HATE_SPEECH',
  'SEXUALLY_EXPLICIT',
  'DANGEROUS_CONTENT',
  'CIVIC_INTEGRITY',
]
  .map((category) => `{"category":"HARM_CATEGORY_${category}","threshold":"OPERATORS_CHOICE"}`)
  .join(',')}]`
const HI = '"contents":[{"role":"user","parts":[{"text":"hi"}]}]'

const WHOLE =
  '{\n  "candidates": [\n    {\n      "content": {"parts": [{"text": "High water."}], "role": "model"},\n      "finishReason": "STOP",\n      "avgLogprobs": -0.10000000000000000555\n    }\n  ],\n  "usageMetadata": {"promptTokenCount": 5, "candidatesTokenCount": 3, "totalTokenCount": 8},\n  "modelVersion": "same-gemini",\n  "responseId": "r1"\n}\n'
const chunk = (parts: string, more = '') =>
  `data: {"candidates": [{"content": {"parts": [${parts}],"role": "model"},"index": 0${more}}],"usageMetadata": {"promptTokenCount": 5,"candidatesTokenCount": 3,"totalTokenCount": 8},"modelVersion": "same-gemini","responseId": "r1"}\r\n\r\n`
const FINISH = chunk('{"text": ""}', ',"finishReason": "STOP"')

export const GEMINI_SHAPES: readonly Shape[] = [
  {
    name: 'safety settings of the client, and unknown fields',
    path,
    body: `{${SAFETY},"x_future":{"z":[null,0],"a":""},${HI}}`,
    response: WHOLE.replace('"modelVersion"', '"xProvider": {"n": 12345678901234567890},\n  "modelVersion"'),
  },
  {
    name: "no safety settings, so the operator's are added",
    path,
    body: `{ ${HI}, "generationConfig":{"temperature":0.0} }`,
    sent: withLast(`{ ${HI}, "generationConfig":{"temperature":0.0} }`, OPERATORS),
    response: WHOLE,
  },
  {
    name: 'names with underscores, as some clients write them',
    path,
    body: `{"system_instruction":{"parts":[{"text":"s"}]},"safety_settings":[{"category":"HARM_CATEGORY_HARASSMENT","threshold":"OFF"}],"generation_config":{"max_output_tokens":10},${HI}}`,
    response: WHOLE,
  },
  {
    name: 'explicit nulls, zeros and numbers beyond double precision',
    path,
    body: `{${HI},"generationConfig":{"temperature":0,"topK":null,"seed":12345678901234567890,"stopSequences":[],"candidateCount":1,"responseSchema":{"type":"OBJECT","maxProperties":"0"}},"cachedContent":null,${SAFETY}}`,
    response: WHOLE.replace('"index"', '"index"'),
  },
  {
    name: 'tool calls, results and signatures',
    path,
    body: `{"contents":[{"role":"user","parts":[{"text":"hi"}]},{"role":"model","parts":[{"thoughtSignature":"CtcBAcu98P/+==","functionCall":{"name":"f","args":{ "n" : 1152921504606846977, "r":1.0 },"id":"fc1"}}]},{"role":"user","parts":[{"functionResponse":{"id":"fc1","name":"f","response":{"output":[1.0,null]}}}]}],"tools":[{"functionDeclarations":[{"name":"f","parameters":{"type":"OBJECT"}}]},{"googleSearch":{}},{"xTool":{}}],${SAFETY}}`,
    response: WHOLE.replace(
      '{"text": "High water."}',
      '{"functionCall": {"name": "f","args": {"z": 1152921504606846977,"a": 1.0}},"thoughtSignature": "CtcBAcu98P/+=="}',
    ),
  },
  streamShape({
    name: 'a stream with parts and unknown fields',
    path: streamPath,
    body: `{\n"toolConfig":{"functionCallingConfig":{"mode":"NONE"},"x":0},${HI},\n${SAFETY}}`,
    response:
      chunk('{"thought": true,"text": "hm"}') +
      chunk('{"text": "High"},{"xPart": {"n": 1152921504606846977}}', ',"xMore": null') +
      chunk('{"text": " \\u6c34 🌊"}') +
      FINISH,
  }),
  streamShape({
    name: "a stream without safety settings, so the operator's are added",
    path: streamPath,
    body: `{${HI}}`,
    sent: `{${HI},${OPERATORS}}`,
    response: chunk('{"text": "High"}') + FINISH,
  }),
  {
    name: 'another model name, which is in the URL',
    path: '/v1beta/models/alias-gemini:generateContent',
    sentPath: path,
    body: `{ ${HI} , ${SAFETY} }`,
    response: WHOLE,
  },
]
