import { classifyOpenai } from '../../openai-compatible/classify.ts'
import { bearer } from '../../openai-compatible/create-provider.ts'
import { defineProvider, type Target } from '../../provider.ts'
import { readOrder, readTasks } from './read-responses.ts'

/** A proxy that makes songs and their words with Suno's accounts. */
export const suno = defineProvider({
  id: 'suno',
  baseUrl: '',
  models: ['suno_music', 'suno_lyrics'],
  authorize: bearer,
  tasks: {
    music: {
      orderUrl: (target, { action }) => at(target, `/suno/submit/${encodeURIComponent(action)}`),
      readOrder,
      atOnce: 50,
      inquire: (target, vendorIds) => ({
        url: at(target, '/suno/fetch'),
        method: 'POST',
        body: JSON.stringify({ ids: vendorIds }),
      }),
      readInquiry: readTasks,
    },
  },
  classify: classifyOpenai,
})

function at({ baseUrl }: Target, path: string): string {
  return baseUrl.replace(/\/+$/, '') + path
}
