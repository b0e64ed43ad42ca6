import { GoogleGenAI } from '@google/genai'
import { image, job, main, requireChunks, runTool, show, streams, thinks, TOOLS, usesTools } from './job.mjs'

const client = new GoogleGenAI({ apiKey: job.key, httpOptions: { baseUrl: job.url } })
const { model, prompt } = job

await main({ chat })

async function chat() {
  const picture = job.feature === 'image' ? [{ type: 'image', data: image(), mime_type: 'image/png' }] : []
  let input = [{ type: 'user_input', content: [{ type: 'text', text: prompt }, ...picture] }]
  let previous
  for (;;) {
    const { id, steps } = await send(input, previous)
    for (const step of steps) {
      if (step.type === 'thought') show(textsIn(step.summary))
      if (step.type === 'model_output') show(textsIn(step.content))
    }
    const calls = steps.filter(({ type }) => type === 'function_call')
    if (calls.length === 0) return
    const results = calls.map(({ id: call_id, name, arguments: given }) => ({
      type: 'function_result',
      call_id,
      name,
      result: runTool(name, given),
    }))
    // Without storage the whole conversation is sent again, with stored interactions only what is new.
    if (thinks) input.push(...steps, ...results)
    else [input, previous] = [results, id]
  }
}

function textsIn(contents = []) {
  return contents.map(({ text }) => text ?? '').join('')
}

async function send(input, previous) {
  const request = {
    model,
    input,
    ...(usesTools && { tools: TOOLS.map((tool) => ({ type: 'function', ...tool })) }),
    ...(thinks && { store: false, generation_config: { thinking_level: 'medium', thinking_summaries: 'auto' } }),
    ...(previous && { previous_interaction_id: previous }),
  }
  if (!streams) return await client.interactions.create(request)
  return await readStream(await client.interactions.create({ ...request, stream: true }))
}

/** Joins the deltas of each step. */
async function readStream(events) {
  const steps = []
  const given = []
  let chunks = 0
  let completed
  for await (const event of events) {
    if (event.event_type === 'error') throw new Error(JSON.stringify(event.error))
    if (event.event_type === 'step.start') steps[event.index] = { ...event.step }
    if (event.event_type === 'interaction.completed') completed = event.interaction
    if (event.event_type !== 'step.delta') continue
    const { index, delta } = event
    const step = steps[index]
    if (delta.type === 'arguments_delta') {
      given[index] = (given[index] ?? '') + delta.arguments
    } else if (delta.type === 'text') {
      chunks += 1
      step.content = [{ type: 'text', text: textsIn(step.content) + delta.text }]
    }
  }
  for (const [index, text] of given.entries()) if (text !== undefined) steps[index].arguments = JSON.parse(text)
  requireChunks(chunks)
  if (!(completed?.usage?.total_tokens > 0)) throw new Error('the stream has no usage')
  return { id: completed.id, steps }
}
