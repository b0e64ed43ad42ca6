import { useTranslation } from 'react-i18next'
import { RichContent } from '../../../ui/rich-content/rich-content.tsx'
import styles from './view.module.css'

/** What a conversation looks like before it has begun. Models are not told of it. */
export function Greeting() {
  const { t } = useTranslation('playground')
  return (
    <article className={styles.turn}>
      <div className={styles.question}>
        <p className={styles.asked}>{t('greeting.question')}</p>
      </div>
      <div className={styles.answer}>
        <RichContent format="markdown" text={t('greeting.answer')} />
      </div>
    </article>
  )
}
