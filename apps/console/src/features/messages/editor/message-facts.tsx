import type { Message } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { formatCount } from '../../../lib/format.ts'
import { Facts } from '../../../ui/facts.tsx'
import { CreatedTime, percent, SendState, Target } from '../list/cells.tsx'
import styles from '../messages.module.css'

export function MessageFacts({ message }: { message: Message }) {
  const { t } = useTranslation('messages')
  const { total_recipients: total, read_count: read, read_rate: rate } = message.stats
  return (
    <div className={styles.facts}>
      <Facts
        facts={[
          { term: t('facts.id'), value: <span className="number">{message.id}</span> },
          { term: t('facts.created'), value: <CreatedTime message={message} /> },
          { term: t('facts.target'), value: <Target message={message} /> },
          { term: t('facts.state'), value: <SendState message={message} /> },
          { term: t('facts.recipients'), value: <span className="number">{formatCount(total)}</span> },
          {
            term: t('facts.read'),
            value: (
              <span className="number">
                {formatCount(read)} {total > 0 && <span className="secondary">({percent(rate)})</span>}
              </span>
            ),
          },
        ]}
      />
    </div>
  )
}
