import { flag } from '../define.ts'

const drawing = { tab: 'operation', section: 'drawing' } as const

export const drawingOptions = {
  DrawingEnabled: flag(drawing, true),
  /** Lets vendors call back, which tells them the address of this server. */
  MjNotifyEnabled: flag(drawing, false),
  MjAccountFilterEnabled: flag(drawing, false),
  MjForwardUrlEnabled: flag(drawing, true),
  MjModeClearEnabled: flag(drawing, false),
  MjActionCheckSuccessEnabled: flag(drawing, true),
  TaskEnabled: flag(drawing, true),
}
