export default {
  label: 'Vérification humaine',
  loading: 'Chargement de la vérification humaine…',
  failed: 'La vérification humaine ne s’est pas chargée. Vérifiez votre connexion et réessayez.',
  retry: 'Réessayer',
  waiting: 'Réessayez dans quelques secondes, Turnstile vérifie votre environnement',
}
