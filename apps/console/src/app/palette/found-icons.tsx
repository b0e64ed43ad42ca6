import { ApiOutlined, KeyOutlined, NodeIndexOutlined, UserOutlined } from '@ant-design/icons'

/** Kinds of things that are found by asking the server, each with its sign. */
export const FOUND_ICONS = {
  requests: <NodeIndexOutlined aria-hidden />,
  tokens: <KeyOutlined aria-hidden />,
  users: <UserOutlined aria-hidden />,
  channels: <ApiOutlined aria-hidden />,
}

export type FoundGroup = keyof typeof FOUND_ICONS

export const isFoundGroup = (group: string): group is FoundGroup => Object.hasOwn(FOUND_ICONS, group)
