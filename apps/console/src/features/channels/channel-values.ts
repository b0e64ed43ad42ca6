/** What the form collects; lists become comma-separated text when sent. */
export interface ChannelValues {
  type: number
  name: string
  base_url: string
  key: string
  models: string[]
  groups: string[]
  priority: number | null
  weight: number | null
}

export const INITIAL_CHANNEL: ChannelValues = {
  type: 1,
  name: '',
  base_url: '',
  key: '',
  models: [],
  groups: ['default'],
  priority: 0,
  weight: 0,
}
