import type { DrawingTask } from '@tidegate/contract/api'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { ColumnRules } from '../../../ui/table/column-choice.ts'
import { stored } from '../../../lib/stored.ts'
import { LongText, TaskDuration, TaskId } from '../cells.tsx'
import { TASK_COLUMNS } from '../task-columns.tsx'
import type { Column } from '../../../ui/table/columns.ts'
import { Time } from '../../../ui/page/time.tsx'
import { durationOf, textOf, type ShownPart, type TextPart } from './drawing.ts'
import { DrawingAction, SubmitResult } from './drawing-tags.tsx'
import { ImageButton } from './image-button.tsx'

const KEYS = [
  'time',
  'duration',
  'channel',
  'user',
  'type',
  'task',
  'code',
  'status',
  'progress',
  'image',
  'prompt',
  'promptEn',
  'reason',
  'price',
] as const
export type ColumnKey = (typeof KEYS)[number]

/** The words in English are mostly those of the prompt over again; an administrator has two other columns to look at. */
export const COLUMNS: ColumnRules<ColumnKey> = {
  keys: KEYS,
  forAdministrators: new Set(['channel', 'user']),
  hiddenAtFirst: { administrator: new Set(['promptEn', 'code']), user: new Set(['promptEn']) },
  item: stored.drawingColumns,
}

export function useDrawingColumns(
  shown: readonly ColumnKey[],
  onOpen: (part: ShownPart) => void,
): Column<DrawingTask>[] {
  const { t } = useTranslation('drawings')
  return useMemo(() => {
    const text = (drawing: DrawingTask, part: TextPart, tone?: 'bad') => (
      <LongText
        text={textOf(drawing, part)}
        label={t(`columns.${part}`)}
        {...(tone && { tone })}
        onOpen={() => onOpen({ drawing, part })}
      />
    )
    const columns: Record<ColumnKey, Column<DrawingTask>> = {
      ...TASK_COLUMNS,
      time: { render: (_, row) => <Time unixSeconds={row.submit_time / 1000} exact /> },
      duration: { render: (_, row) => <TaskDuration milliseconds={durationOf(row)} /> },
      type: { render: (_, row) => <DrawingAction action={row.action} /> },
      task: { render: (_, row) => <TaskId id={row.mj_id} /> },
      code: { render: (_, row) => <SubmitResult code={row.code} /> },
      image: { render: (_, row) => <ImageButton drawing={row} onOpen={onOpen} /> },
      prompt: { render: (_, row) => text(row, 'prompt') },
      promptEn: { render: (_, row) => text(row, 'promptEn') },
      reason: { render: (_, row) => text(row, 'reason', 'bad') },
    }
    return shown.map((key) => ({ key, title: t(`columns.${key}`), ...columns[key] }))
  }, [t, shown, onOpen])
}
