import { sql } from 'kysely'
import { pick } from '../../routing/protocols.ts'
import type { Rows } from '../effect.ts'
import type { EffectSite } from '../effect-site.ts'

const IMAGE = 'https://pictures.example/1.png'

async function post(site: EffectSite, path: string, body: object): Promise<{ status: number; response: unknown }> {
  const response = await fetch(`${site.url}/mj/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${site.member.keys.default}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { status: response.status, response: await response.json() }
}

/** Submits an image task. Returns the task ID of the provider and the body it received. */
async function submitImage(site: EffectSite, body: object): Promise<{ id: string; submitted: unknown }> {
  const { response } = await post(site, 'submit/imagine', { prompt: 'a lighthouse', ...body })
  const id = pick(response, 'result') as string
  return { id, submitted: site.imageTasks.submissions.find(({ upstreamId }) => upstreamId === id)?.body }
}

const notifySettings = (body: object, ...path: string[]) => {
  return async (site: EffectSite) => pick((await submitImage(site, body)).submitted, ...path)
}

export const imageTaskEffects = {
  MjAccountFilterEnabled: {
    value: 'true',
    probe: notifySettings({ accountFilter: { modes: ['FAST'] } }, 'accountFilter', 'modes'),
    before: undefined,
    after: ['FAST'],
  },
  MjModeClearEnabled: {
    value: 'true',
    probe: notifySettings({ prompt: 'a lighthouse --fast --ar 1:1' }, 'prompt'),
    before: 'a lighthouse --fast --ar 1:1',
    after: 'a lighthouse --ar 1:1',
  },
  MjForwardUrlEnabled: {
    value: 'false',
    async probe(site) {
      const { id } = await submitImage(site, {})
      await sql`
        update task set status = 'SUCCESS', finished_at = now(), result_url = ${IMAGE} where vendor_id = ${id}`.execute(
        site.database.db,
      )
      const response = await fetch(`${site.url}/mj/task/${id}/fetch`, {
        headers: { authorization: `Bearer ${site.member.keys.default}` },
      })
      return pick(await response.json(), 'imageUrl') === IMAGE ? 'theirs' : 'ours'
    },
    before: 'ours',
    after: 'theirs',
  },
  MjActionCheckSuccessEnabled: {
    value: 'false',
    async probe(site) {
      const { id } = await submitImage(site, {})
      return (await post(site, 'submit/change', { taskId: id, action: 'REROLL' })).status
    },
    before: 400,
    after: 200,
  },
} satisfies Rows
