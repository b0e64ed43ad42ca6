import { Navigate, useParams } from 'react-router'

/** Redirects to the channel list with the drawer open. */
export default function EditChannelRedirect() {
  const { id = '' } = useParams()
  return <Navigate replace to={`/admin/channels?drawer=edit&id=${encodeURIComponent(id)}`} />
}
