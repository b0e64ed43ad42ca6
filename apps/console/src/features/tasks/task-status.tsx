import { TASK_STATUSES, type TaskStatus } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { StatusTag, type Tone } from '../../ui/feedback/status-tag.tsx'

const TONES: Record<TaskStatus, Tone> = {
  '': 'info',
  NOT_START: 'neutral',
  SUBMITTED: 'info',
  QUEUED: 'info',
  UNKNOWN: 'neutral',
  IN_PROGRESS: 'info',
  MODAL: 'warn',
  SUCCESS: 'good',
  FAILURE: 'bad',
}

/** Only these two are final. */
export const isOpen = ({ status }: { status: string }): boolean => status !== 'SUCCESS' && status !== 'FAILURE'

/** Under which name the words of a status are; one that is not known reads as unknown. */
export function statusName(status: string): Exclude<TaskStatus, ''> | 'submitting' {
  const known = knownStatus(status)
  return known === '' ? 'submitting' : known
}

export function TaskStatusTag({ status }: { status: string }) {
  const { t } = useTranslation('tasks')
  return <StatusTag tone={TONES[knownStatus(status)]}>{t(`statuses.${statusName(status)}`)}</StatusTag>
}

const knownStatus = (status: string): TaskStatus => TASK_STATUSES.find((known) => known === status) ?? 'UNKNOWN'
