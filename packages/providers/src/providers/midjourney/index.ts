import { classifyOpenai } from '../../openai-compatible/classify.ts'
import { defineProvider } from '../../provider.ts'
import type { Target } from '../../target.ts'
import { readSubmission } from './read-submission.ts'
import { readTask, readTasks } from './read-task.ts'

const FIRST_MODELS = [
  'mj_imagine',
  'mj_variation',
  'mj_reroll',
  'mj_blend',
  'mj_upscale',
  'mj_describe',
  'mj_upload',
] as const

const LATER_MODELS = [
  'swap_face',
  'mj_zoom',
  'mj_shorten',
  'mj_modal',
  'mj_inpaint',
  'mj_custom_zoom',
  'mj_high_variation',
  'mj_low_variation',
  'mj_pan',
] as const

/** Midjourney Proxy. */
export const midjourney = defineProvider({
  id: 'midjourney',
  baseUrl: '',
  models: FIRST_MODELS,
  authorize: ({ key }) => ({ 'mj-api-secret': key }),
  tasks: {
    drawing: {
      submitUrl: (target, { path }) => urlOf(target, path),
      readSubmission,
      maxPerPoll: 100,
      pollRequest: (target, upstreamIds) => ({
        url: urlOf(target, '/mj/task/list-by-condition'),
        method: 'POST',
        body: JSON.stringify({ ids: upstreamIds }),
      }),
      readPoll: readTasks,
      readCallback: readTask,
      seedUrl: (target, upstreamId) => urlOf(target, `/mj/task/${encodeURIComponent(upstreamId)}/image-seed`),
    },
  },
  // `readSubmission` has already mapped the proxy's codes to HTTP statuses.
  classify: classifyOpenai,
})

/** Midjourney Proxy Plus: the same API with more models. */
export const midjourneyPlus = defineProvider({
  ...midjourney,
  id: 'midjourney-plus',
  models: [...FIRST_MODELS, ...LATER_MODELS],
})

function urlOf({ baseUrl }: Target, path: string): string {
  return baseUrl.replace(/\/+$/, '') + path
}
