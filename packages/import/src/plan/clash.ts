import type { Area, Report } from '../report.ts'

/** Notes something that cannot come: in the way of all, or left behind where that was asked for. */
export type Clash = (area: Area, reason: string, example: string) => void

export function clashesOf(report: Report, skipClashes: boolean): Clash {
  return (area, reason, example) => report.note(area, skipClashes ? 'left' : 'clash', reason, example)
}
