import { describe, expect, it } from 'vitest'
import { hasData, mediaAddress, mediaOf, songsIn, titleOf, videoIn } from './media-data.ts'

describe('songs', () => {
  it('are read from a list with their details', () => {
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

  it('are read from a single object with few fields', () => {
    expect(songsIn({ audio_url: 'https://cdn.example/2.mp3', duration: 'long', title: 7 })).toEqual([
      { audio: 'https://cdn.example/2.mp3', cover: null, title: '', tags: '', duration: null },
    ])
  })

  it.each([[null], ['https://cdn.example/1.mp3'], [{ audio_url: 'javascript:alert(1)' }], [[]]])(
    'are missing in %j',
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
  ])('in %j has the URL %j', (data, address) => {
    expect(videoIn(data)).toBe(address)
  })

  it('is not read from songs, which can have their own videos', () => {
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
])('detects data in %j: %j', (data, expected) => {
  expect(hasData(data)).toBe(expected)
})

it.each([
  ['https://cdn.example/1.png', 'https://cdn.example/1.png'],
  ['http://10.0.0.1/1.png', 'http://10.0.0.1/1.png'],
  ['/mj/image/1?key=a', '/mj/image/1?key=a'],
  ['//elsewhere.example/1.png', null],
  ['/\\elsewhere.example/1.png', null],
  ['javascript:alert(1)', null],
  ['data:text/html,hi', null],
  ['not an address', null],
  ['', null],
  [7, null],
  [undefined, null],
])('reads %j as the URL %j', (value, address) => {
  expect(mediaAddress(value)).toBe(address)
})

describe('the title of a task', () => {
  it('is that of its first song, or the requested one', () => {
    const task = { platform: 'suno', properties: { title: 'Tide' }, data: null }

    expect(titleOf(task)).toBe('Tide')
    expect(titleOf({ ...task, data: [{ title: 'Ebb', audio_url: 'https://cdn.example/1.mp3' }] })).toBe('Ebb')
    expect(titleOf({ ...task, properties: {} })).toBe('')
  })
})
