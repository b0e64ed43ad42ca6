import type { Message } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { Facts } from '../../../ui/facts.tsx'
import { RowCard } from '../../../ui/row-card.tsx'
import styles from '../messages.module.css'
import { CreatedTime, FormatTag, Recipients, RowActions, SendState } from './cells.tsx'
import type { MessageActions } from './use-message-actions.ts'

export function MessageCard({ message, actions }: { message: Message; actions: MessageActions }) {
  const { t } = useTranslation('messages')
  return (
    <RowCard
      title={
        <span className={styles.cardTitle}>
          {message.title} <span className="secondary number">#{message.id}</span>
        </span>
      }
      aside={<FormatTag format={message.format} />}
      actions={<RowActions message={message} actions={actions} />}
    >
      <Facts
        facts={[
          { term: t('columns.recipients'), value: <Recipients message={message} /> },
          { term: t('columns.state'), value: <SendState message={message} /> },
          { term: t('columns.created'), value: <CreatedTime message={message} /> },
        ]}
      />
    </RowCard>
  )
}
