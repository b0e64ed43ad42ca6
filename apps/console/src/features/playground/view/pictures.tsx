import { PictureOutlined } from '@ant-design/icons'
import { useTranslation } from 'react-i18next'
import { Image } from '../../../ui/kit/index.ts'
import type { Picture } from '../conversation/types.ts'
import styles from './view.module.css'

/** Pictures of a message. One that was let go to save space leaves a note. */
export function Pictures({ pictures }: { pictures: readonly Picture[] }) {
  const { t } = useTranslation('playground')
  if (pictures.length === 0) return null
  return (
    <div className={styles.pictures}>
      {pictures.map(({ url, name }, at) =>
        url === '' ? (
          // oxlint-disable-next-line react/no-array-index-key -- pictures of a message do not change places
          <span key={at} className={styles.letGo}>
            <PictureOutlined aria-hidden /> {t('picture.letGo', { name })}
          </span>
        ) : (
          // oxlint-disable-next-line react/no-array-index-key -- as above
          <Image key={at} src={url} alt={name || t('picture.drawn')} referrerPolicy="no-referrer" />
        ),
      )}
    </div>
  )
}
