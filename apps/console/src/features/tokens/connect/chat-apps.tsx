import { ExportOutlined } from '@ant-design/icons'
import { useTranslation } from 'react-i18next'
import { chatLinks, isWebPage, NEW_TAB } from '../../../lib/chat-links.ts'
import { useStatus } from '../../../lib/status.ts'
import { Button } from '../../../ui/kit/index.ts'
import { ClientCard } from './client-card.tsx'
import styles from './connect.module.css'
import { CHAT_CLIENTS } from './snippets/clients.ts'
import type { Connection } from './snippets/connection.ts'

/** The chats that the operator has saved, then apps to fill in by hand. */
export function ChatApps({ shown, copied }: { shown: Connection; copied: Connection }) {
  const { t } = useTranslation('connect')
  const links = chatLinks(useStatus().chats, copied)
  return (
    <>
      {links.length > 0 && (
        <section className={styles.saved} aria-label={t('saved.title')}>
          <h3 className={styles.clientName}>{t('saved.title')}</h3>
          <p className={styles.where}>{t('saved.hint')}</p>
          <div className={styles.links}>
            {links.map(({ name, address }, index) => (
              <Button
                // oxlint-disable-next-line react/no-array-index-key -- two chats may share a name
                key={index}
                href={address}
                {...(isWebPage(address) && NEW_TAB)}
                aria-label={t('saved.open', { name })}
                icon={<ExportOutlined aria-hidden />}
              >
                {name}
              </Button>
            ))}
          </div>
        </section>
      )}
      <p className={styles.note}>{t('notes.chat')}</p>
      <div className={styles.clients}>
        {CHAT_CLIENTS.map((client) => (
          <ClientCard key={client} client={client} shown={shown} copied={copied} />
        ))}
      </div>
    </>
  )
}
