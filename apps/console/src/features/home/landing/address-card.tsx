import { useTranslation } from 'react-i18next'
import { useStatus } from '../../../lib/status.ts'
import { CopyButton } from '../../../ui/copy-button.tsx'
import styles from './landing.module.css'

/** What each kind of client is given as its address; it adds the rest itself. */
const PROTOCOLS = [
  { name: 'OpenAI', root: '/v1', path: '/chat/completions' },
  { name: 'Responses', root: '/v1', path: '/responses' },
  { name: 'Anthropic', root: '', path: '/v1/messages' },
  { name: 'Gemini', root: '', path: '/v1beta/models' },
] as const

/** The one thing a newcomer has to change in a program. */
export function AddressCard() {
  const { t } = useTranslation('home')
  const { t: common } = useTranslation()
  const { server_address: serverAddress } = useStatus()
  const address = (serverAddress || window.location.origin).replace(/\/+$/, '')
  return (
    <section className={styles.card} aria-labelledby="base-address">
      <h2 id="base-address">{t('address.title')}</h2>
      <p className={styles.cardHint}>{t('address.hint')}</p>
      <div className={styles.address}>
        <code>{address}</code>
        <CopyButton text={address} label={t('address.copy')} words={common('copy')} />
      </div>
      <ul className={styles.protocols} aria-label={t('address.protocols')}>
        {PROTOCOLS.map(({ name, root, path }) => (
          <li key={name}>
            <span className={styles.protocol}>{name}</span>
            <code className={styles.path}>
              <span className={styles.root}>{root}</span>
              {path}
            </code>
            <CopyButton text={address + root} label={t('address.copyFor', { name })} />
          </li>
        ))}
      </ul>
    </section>
  )
}
