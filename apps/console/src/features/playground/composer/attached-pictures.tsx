import { CloseOutlined } from '@ant-design/icons'
import { useTranslation } from 'react-i18next'
import type { Picture } from '../conversation/types.ts'
import styles from './composer.module.css'

interface Props {
  pictures: readonly Picture[]
  /** Models that are not known to look at pictures, in a row; blank when all are. */
  blind: string
  onRemove(at: number): void
}

export function AttachedPictures({ pictures, blind, onRemove }: Props) {
  const { t } = useTranslation('playground')
  if (pictures.length === 0) return null
  return (
    <div className={styles.attached}>
      <ul className={styles.thumbnails}>
        {pictures.map(({ url, name }, at) => (
          // oxlint-disable-next-line react/no-array-index-key -- the same picture may be there twice
          <li key={at} className={styles.thumbnail}>
            <img src={url} alt={name} />
            <button type="button" aria-label={t('picture.remove', { name })} onClick={() => onRemove(at)}>
              <CloseOutlined aria-hidden />
            </button>
          </li>
        ))}
      </ul>
      {blind !== '' && <output className={styles.warning}>{t('composer.blind', { models: blind })}</output>}
    </div>
  )
}
