import type { Message, MessageFormat } from '@tidegate/contract/api'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../components/resource/use-change.ts'
import { formatCount, formatRowTime } from '../../lib/format.ts'
import { toast } from '../../lib/toast.ts'
import { useStableActions } from '../../lib/use-stable-actions.ts'
import { StatusTag } from '../../ui/feedback/status-tag.tsx'
import { Progress } from '../../ui/kit/index.ts'
import { MenuButton } from '../../ui/overlay/menu-button.tsx'
import { useConfirmDelete } from '../../ui/overlay/use-confirm-delete.ts'
import { Facts } from '../../ui/page/facts.tsx'
import { Time } from '../../ui/page/time.tsx'
import type { Column } from '../../ui/table/columns.ts'
import { RowName } from '../../ui/table/row-button.tsx'
import { RowCard } from '../../ui/table/row-card.tsx'
import { deleteMessage, MESSAGES } from './api.ts'
import styles from './messages.module.css'

/** More than a row can show. */
const EXCERPT_LENGTH = 300

interface MessageActions {
  edit(id: number): void
  /** Asks for confirmation, then deletes. */
  remove(message: Message): void
}

export function useMessageActions(edit: (id: number) => void): MessageActions {
  const { t } = useTranslation('messages')
  const confirmDelete = useConfirmDelete()
  const removeMessage = useChange(MESSAGES, deleteMessage)
  return useStableActions<MessageActions>({
    edit,
    remove: ({ id, title, state, stats }) =>
      confirmDelete({
        title: t('delete.title', { id }),
        text:
          state === 'scheduled'
            ? t('delete.waitingText', { title })
            : t('delete.text', { title, count: formatCount(stats.total_recipients) }),
        onConfirm: async () => {
          await removeMessage(id)
          toast.success(t('delete.done'))
        },
      }),
  })
}

export function useMessageColumns(actions: MessageActions): Column<Message>[] {
  const { t } = useTranslation('messages')
  return useMemo(
    (): Column<Message>[] => [
      {
        key: 'id',
        title: t('columns.id'),
        align: 'right',
        from: 1024,
        render: (_, { id }) => <span className="number">{id}</span>,
      },
      {
        key: 'title',
        title: t('columns.title'),
        className: styles.titleColumn!, // the other columns are as narrow as their content
        render: (_, { id, title, content }) => (
          <span className={styles.title}>
            <RowName label={t('actionOn.edit', { id, title })} onClick={() => actions.edit(id)}>
              {title}
            </RowName>
            <span className={styles.excerpt}>{plainText(content)}</span>
          </span>
        ),
      },
      {
        key: 'format',
        title: t('columns.format'),
        from: 1200,
        render: (_, { format }) => <FormatTag format={format} />,
      },
      {
        key: 'audience',
        title: t('facts.target'),
        from: 1024,
        className: styles.line!,
        render: (_, message) => <Audience message={message} />,
      },
      {
        key: 'recipients',
        title: t('columns.recipients'),
        className: styles.line!,
        render: (_, message) => <Recipients message={message} />,
      },
      {
        key: 'created',
        title: t('columns.created'),
        className: styles.line!,
        render: (_, message) => <CreatedTime message={message} />,
      },
      { key: 'state', title: t('columns.state'), render: (_, message) => <SendState message={message} /> },
      {
        key: 'actions',
        title: <span className="visually-hidden">{t('columns.actions')}</span>,
        align: 'right',
        fixed: 'right',
        render: (_, message) => <RowActions message={message} actions={actions} />,
      },
    ],
    [t, actions],
  )
}

export function MessageCard({ message, actions }: { message: Message; actions: MessageActions }) {
  const { t } = useTranslation('messages')
  return (
    <RowCard
      title={message.title}
      note={<span className="number">#{message.id}</span>}
      aside={message.state === 'sent' ? <CreatedTime message={message} isShort /> : <SendState message={message} />}
      actions={<RowActions message={message} actions={actions} />}
      details={
        <Facts
          facts={[
            { term: t('facts.target'), value: <Audience message={message} /> },
            { term: t('columns.recipients'), value: <Recipients message={message} /> },
            { term: t('columns.format'), value: <FormatTag format={message.format} /> },
            { term: t('columns.created'), value: <CreatedTime message={message} /> },
          ]}
        />
      }
    />
  )
}

function FormatTag({ format }: { format: MessageFormat }) {
  const { t } = useTranslation('messages')
  return (
    <span className={styles.format} data-format={format}>
      {t(`formats.${format}`)}
    </span>
  )
}

/** Number of recipients and share of readers. A scheduled message may not have recipients yet. */
function Recipients({ message: { state, stats, planned } }: { message: Message }) {
  const { t } = useTranslation('messages')
  const count = state === 'scheduled' ? planned : stats.total_recipients
  return (
    <span className={`number ${styles.recipients}`}>
      <span className={styles.readerCount}>{count === null ? '–' : formatCount(count)}</span>
      <span className={`secondary ${styles.share}`}>
        {state !== 'scheduled' && count !== 0 && (
          <>
            <span className={styles.readers} aria-hidden>
              <span style={{ width: `${stats.read_rate}%` }} />
            </span>
            {t('readShare', { share: percent(stats.read_rate) })}
          </>
        )}
      </span>
    </span>
  )
}

/** The start of the content without markup. */
function plainText(content: string): string {
  return content
    .slice(0, EXCERPT_LENGTH)
    .replaceAll(/<[^>]*>|[#>|]|:?-{2,}:?/g, ' ')
    .replaceAll(/[*`~]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

/** Whom the message is for. Its own column has the number of recipients. */
function Audience({ message }: { message: Message }) {
  const { t } = useTranslation('messages')
  return message.target === 'users' ? t('form.target.users') : <Target message={message} />
}

export function Target({ message: { target, group, planned } }: { message: Message }) {
  const { t } = useTranslation('messages')
  if (target === 'group') return t('targets.group', { group })
  return target === 'all' ? t('targets.all') : t('targets.users', { count: formatCount(planned ?? 0) })
}

export function SendState({ message }: { message: Message }) {
  const { t, i18n } = useTranslation('messages')
  const { state, send_at: sendAt, planned, delivered } = message
  if (state === 'sent') return <StatusTag tone="usual">{t('states.sent')}</StatusTag>
  if (state === 'scheduled') {
    return (
      <span className={styles.state}>
        <StatusTag tone="info">{t('states.scheduled')}</StatusTag>
        {sendAt !== null && (
          <span className="number secondary">
            {t('states.scheduledAt', { time: formatRowTime(sendAt, i18n.resolvedLanguage ?? 'en') })}
          </span>
        )}
      </span>
    )
  }
  const share = planned ? Math.floor((delivered / planned) * 100) : 0
  return (
    <span className={styles.state}>
      <StatusTag tone="warn">{t('states.sending')}</StatusTag>
      <span className="number secondary">
        {planned === null
          ? t('states.preparing')
          : t('states.progress', { done: formatCount(delivered), total: formatCount(planned) })}
      </span>
      <Progress
        className={styles.progress}
        percent={share}
        showInfo={false}
        size="small"
        aria-label={t('states.sending')}
      />
    </span>
  )
}

export const CreatedTime = ({ message, isShort = false }: { message: Message; isShort?: boolean }) => (
  <Time unixSeconds={Math.floor(new Date(message.created_at).getTime() / 1000)} exact={!isShort} short={isShort} />
)

function RowActions({ message, actions }: { message: Message; actions: MessageActions }) {
  const { t } = useTranslation('messages')
  const { id } = message
  return (
    <MenuButton
      label={t('moreOf', { id })}
      items={() => [
        { key: 'edit', label: t('actions.edit'), onClick: () => actions.edit(id) },
        { key: 'delete', label: t('actions.delete'), danger: true, onClick: () => actions.remove(message) },
      ]}
    />
  )
}

/** Never 0% if someone has read it, and never 100% unless all recipients have. */
export function percent(rate: number): string {
  if (rate > 0 && rate < 1) return '<1%'
  if (rate > 99 && rate < 100) return '>99%'
  return `${Math.round(rate)}%`
}
