import { describe, expect, it } from 'vitest'
import { hasData, mediaOf, songsIn, videoIn } from './media-in.ts'

describe('songs', () => {
  it('are found in the list of a vendor, with what it says of each', () => {
    const ebb = {
      title: 'Ebb',
      audio_url: 'https://cdn.example/1.mp3',
      image_url: 'https://cdn.example/1.jpeg',
      metadata: { tags: 'calm piano', duration: 121.4 },
    }

    expect(songsIn([ebb, { title: 'silent' }, 'noise', null])).toEqual([
      {
        audio: 'https://cdn.example/1.mp3',
        cover: 'https://cdn.example/1.jpeg',
        title: 'Ebb',
        tags: 'calm piano',
        duration: 121.4,
      },
    ])
  })

  it('may be only one, and say little', () => {
    expect(songsIn({ audio_url: 'https://cdn.example/2.mp3', duration: 'long', title: 7 })).toEqual([
      { audio: 'https://cdn.example/2.mp3', cover: null, title: '', tags: '', duration: null },
    ])
  })

  it.each([[null], ['https://cdn.example/1.mp3'], [{ audio_url: 'javascript:alert(1)' }], [[]]])(
    'are not there in %j',
    (data) => {
      expect(songsIn(data)).toEqual([])
    },
  )
})

describe('a video', () => {
  it.each([
    [{ video_url: 'https://cdn.example/1.mp4' }, 'https://cdn.example/1.mp4'],
    [{ data: { task_result: { videos: [{ url: 'https://cdn.example/2.mp4' }] } } }, 'https://cdn.example/2.mp4'],
    [{ id: 'video_1', status: 'completed' }, null],
    [{ url: 'nowhere' }, null],
    [null, null],
  ])('in %j is at %j', (data, address) => {
    expect(videoIn(data)).toBe(address)
  })

  it('is not looked for among songs, which have pictures of their own', () => {
    const data = [{ audio_url: 'https://cdn.example/1.mp3', video_url: 'https://cdn.example/1.mp4' }]

    expect(mediaOf({ platform: 'suno', data }).video).toBeNull()
  })
})

it.each([
  [null, false],
  [{}, false],
  [[], false],
  ['', false],
  ['queued', true],
  [{ id: 1 }, true],
])('%j is worth showing: %j', (data, isWorth) => {
  expect(hasData(data)).toBe(isWorth)
})
