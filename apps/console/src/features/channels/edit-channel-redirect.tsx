import { Navigate, useParams } from 'react-router'

/** An address of its own that opens the drawer over the list. */
export default function EditChannelRedirect() {
  const { id = '' } = useParams()
  return <Navigate replace to={`/admin/channels?drawer=edit&id=${encodeURIComponent(id)}`} />
}
