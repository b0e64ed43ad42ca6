import type { UsageLog } from '@tidegate/contract/api'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { NUMBER, type Column } from '../../../ui/table-column.ts'
import { Time } from '../../../ui/time.tsx'
import {
  ChannelId,
  CopyName,
  Cost,
  GroupTag,
  isCall,
  ModelName,
  RetryPath,
  Sentence,
  Timing,
  TokenCount,
  Words,
} from './cells.tsx'
import type { ColumnKey } from './column-rules.ts'
import { LogType } from './log-type.tsx'
import { UserCell } from './user-cell.tsx'

const COLUMNS: Record<ColumnKey, Column<UsageLog>> = {
  time: { render: (_, log) => <Time unixSeconds={log.created_at} exact /> },
  channel: { render: (_, log) => <ChannelId log={log} /> },
  user: { render: (_, log) => <UserCell log={log} /> },
  token: { render: (_, log) => <CopyName name={log.token_name} /> },
  group: { render: (_, log) => <GroupTag group={log.group} /> },
  type: { render: (_, log) => <LogType log={log} /> },
  model: { render: (_, log) => <ModelName log={log} /> },
  duration: { render: (_, log) => <Timing log={log} /> },
  retry: { render: (_, log) => <RetryPath log={log} /> },
  details: { render: (_, log) => <Words log={log} /> },
  input: { ...NUMBER, render: (_, log) => <TokenCount log={log} of="prompt_tokens" /> },
  output: { ...NUMBER, render: (_, log) => <TokenCount log={log} of="completion_tokens" /> },
  cost: { ...NUMBER, render: (_, log) => <Cost log={log} /> },
}

export function useLogColumns(shown: readonly ColumnKey[]): Column<UsageLog>[] {
  const { t } = useTranslation('logs')
  return useMemo(() => {
    const parts = shown.includes('details') ? COLUMNS : withSentences(shown)
    return shown.map((key) => ({ key, title: t(`columns.${key}`), ...parts[key] }))
  }, [t, shown])
}

/** What only calls have, side by side. */
const OF_CALLS: ReadonlySet<ColumnKey> = new Set(['model', 'duration', 'retry'])

/** Without the column for it, what happened takes the places of what only calls have, and an error says so by its model. */
function withSentences(chosen: readonly ColumnKey[]): Record<ColumnKey, Column<UsageLog>> {
  const [first, ...others] = chosen.filter((key) => OF_CALLS.has(key))
  if (first === undefined) return COLUMNS
  const span = (width: number) => (log: UsageLog) => (isCall(log) ? {} : { colSpan: width })
  const calls: typeof COLUMNS = { ...COLUMNS, model: { render: (_, log) => <ModelName log={log} withMessage /> } }
  return {
    ...calls,
    ...Object.fromEntries(others.map((key) => [key, { ...calls[key], onCell: span(0) }])),
    [first]: {
      render: (_: unknown, log: UsageLog, place: number) =>
        isCall(log) ? calls[first].render!(_, log, place) : <Sentence log={log} />,
      onCell: span(others.length + 1),
    },
  }
}
