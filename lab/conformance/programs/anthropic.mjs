import Anthropic from '@anthropic-ai/sdk'
import {
  image,
  job,
  main,
  requireChunks,
  runTool,
  show,
  showModels,
  showTokens,
  streams,
  thinks,
  TOOLS,
  usesTools,
} from './job.mjs'

const client = new Anthropic({ baseURL: job.url, apiKey: job.key })
const { model, prompt } = job

await main({ chat, countTokens, listModels })

async function chat() {
  const source = () => ({ type: 'base64', media_type: 'image/png', data: image() })
  const picture = job.feature === 'image' ? [{ type: 'image', source: source() }] : []
  const messages = [{ role: 'user', content: [{ type: 'text', text: prompt }, ...picture] }]
  for (;;) {
    const message = await send(messages)
    messages.push({ role: 'assistant', content: message.content })
    for (const block of message.content) {
      if (block.type === 'thinking') show(block.thinking)
      if (block.type === 'text') show(block.text)
    }
    const calls = message.content.filter(({ type }) => type === 'tool_use')
    if (calls.length === 0) return
    const results = calls.map(({ id, name, input }) => ({
      type: 'tool_result',
      tool_use_id: id,
      content: runTool(name, input),
    }))
    messages.push({ role: 'user', content: results })
  }
}

async function send(messages) {
  const tools = usesTools && {
    tools: TOOLS.map(({ name, description, parameters }) => ({ name, description, input_schema: parameters })),
  }
  const thinking = thinks && { thinking: { type: 'adaptive', display: 'summarized' } }
  const request = { model, max_tokens: 4096, messages, ...tools, ...thinking }
  if (!streams) return await client.messages.create(request)
  const stream = client.messages.stream(request)
  let chunks = 0
  stream.on('text', () => (chunks += 1))
  const message = await stream.finalMessage()
  requireChunks(chunks)
  if (!(message.usage.output_tokens > 0)) throw new Error('the stream has no usage')
  return message
}

async function countTokens() {
  const messages = [{ role: 'user', content: prompt }]
  showTokens((await client.messages.countTokens({ model, messages })).input_tokens)
}

async function listModels() {
  const names = []
  for await (const { id, display_name: name, max_input_tokens: window } of client.models.list()) {
    if (!name || !(window > 0)) throw new Error(`${id} has the name ${name} and the window ${window}`)
    names.push(id)
  }
  showModels(names)
}
