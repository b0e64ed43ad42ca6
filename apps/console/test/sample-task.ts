import type { DrawingTask, MediaTask } from '@tidegate/contract/api'

const common = {
  user_id: 7,
  username: 'mira',
  channel_id: 3,
  channel_name: 'harbour',
  status: 'SUCCESS',
  progress: '100%',
  fail_reason: '',
  quota: 50_000,
  refunded: false,
}

/** An image task that took 42 seconds. */
export const anImageTask = (changes: Partial<DrawingTask> = {}): DrawingTask => ({
  ...common,
  id: 1,
  action: 'IMAGINE',
  mj_id: '1763200000000001',
  code: 1,
  prompt: '退潮后的码头',
  prompt_en: 'a pier after the tide has gone',
  description: 'Submit success',
  image_url: '/mj/image/1763200000000001?key=k',
  submit_time: 1_763_200_000_000,
  start_time: 1_763_200_001_000,
  finish_time: 1_763_200_042_000,
  ...changes,
})

/** A music task with two songs that took two and a half minutes. */
export const aMediaTask = (changes: Partial<MediaTask> = {}): MediaTask => ({
  ...common,
  id: 1,
  action: 'MUSIC',
  task_id: 'song-task-1',
  platform: 'suno',
  created_at: 1_763_200_000,
  updated_at: 1_763_200_150,
  submit_time: 1_763_200_000,
  start_time: 1_763_200_010,
  finish_time: 1_763_200_150,
  properties: { mv: 'chirp-v3-0' },
  data: [
    { title: 'Ebb', audio_url: 'https://cdn.example/1.mp3', image_url: 'https://cdn.example/1.jpg', duration: 125 },
    { title: 'Flow', audio_url: 'https://cdn.example/2.mp3' },
  ],
  ...changes,
})
