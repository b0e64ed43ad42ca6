import { describe, expect, it } from 'vitest'
import { findEndpoint, isGatewayPath } from './endpoints.ts'
import type { TaskAction } from './task-endpoints.ts'

const find = (endpoint: string) => {
  const [method, url] = endpoint.split(' ') as [string, string]
  return { isOurs: isGatewayPath(url), endpoint: findEndpoint(method, url) }
}

describe('findTaskAction', () => {
  it.each<[string, TaskAction]>([
    ['POST /mj/submit/imagine', { kind: 'submit', task: 'drawing', path: '/mj/submit/imagine' }],
    ['POST /mj/submit/imagine/?a=1', { kind: 'submit', task: 'drawing', path: '/mj/submit/imagine' }],
    ['POST /mj-fast/mj/submit/blend', { kind: 'submit', task: 'drawing', path: '/mj/submit/blend' }],
    ['POST /turbo/mj/submit/action', { kind: 'submit', task: 'drawing', path: '/turbo/mj/submit/action' }],
    ['POST /mj/insight-face/swap', { kind: 'submit', task: 'drawing', path: '/mj/insight-face/swap' }],
    ['GET /mj/task/12%2F3/fetch', { kind: 'show', task: 'drawing', id: '12/3' }],
    ['GET /fast/mj/task/1/image-seed', { kind: 'seed', task: 'drawing', id: '1' }],
    ['POST /mj/task/list-by-condition', { kind: 'show-many', task: 'drawing' }],
    ['POST /mj/notify?task=1&key=x', { kind: 'callback', task: 'drawing' }],
    ['GET /mj/image/1?key=x', { kind: 'image', task: 'drawing', id: '1' }],
    ['POST /suno/submit/music', { kind: 'submit', task: 'music', path: '/suno/submit/MUSIC' }],
    ['POST /suno/submit/LYRICS', { kind: 'submit', task: 'music', path: '/suno/submit/LYRICS' }],
    ['GET /suno/fetch/abc', { kind: 'show', task: 'music', id: 'abc' }],
    ['POST /v1/videos', { kind: 'submit', task: 'video', path: '/v1/videos' }],
    ['POST /hf/v1/videos/v%201/remix', { kind: 'submit', task: 'video', path: '/v1/videos/v%201/remix', of: 'v 1' }],
    ['GET /v1/videos', { kind: 'list', task: 'video' }],
    ['GET /v1/videos/v1/content', { kind: 'content', task: 'video', id: 'v1' }],
  ])('%s is %o', (endpoint, expected) => {
    expect(find(endpoint)).toEqual({
      isOurs: true,
      endpoint: { kind: 'task', protocol: 'openai-chat', action: expected },
    })
  })

  it.each(['POST /mj/submit/anything', 'GET /mj/submit/imagine', 'DELETE /mj/task/1/fetch', 'GET /suno/submit/music'])(
    '%s is unknown, but belongs to the gateway',
    (endpoint) => {
      expect(find(endpoint)).toMatchObject({ isOurs: true, endpoint: { kind: 'unknown' } })
    },
  )

  it('knows the removal of a video as not implemented', () => {
    expect(find('DELETE /v1/videos/v1').endpoint.kind).toBe('not-implemented')
  })

  it.each([
    'GET /api/mj/self',
    'GET /api/mj/task/1/fetch',
    'GET /../mj/image/1',
    'GET /a/b/mj/image/1',
    'GET /mjolnir',
  ])('does not match %s', (endpoint) => {
    expect(find(endpoint).isOurs).toBe(false)
  })
})
