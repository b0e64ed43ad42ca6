export default {
  label: 'Bientôt',
  action: 'Retour à la console',
  home: 'Retour à l’accueil',
  drawingLogs: 'Cette page listera les tâches de dessin et leurs résultats.',
  inbox: 'Cette page contiendra les messages du site.',
  message: 'Cette page affichera un message en entier.',
  messages: 'Cette page permettra d’écrire aux utilisateurs et de voir qui a lu.',
  oauth: 'Cette page terminera la connexion ou l’association avec un compte tiers.',
  taskLogs: 'Cette page listera la musique et les autres tâches longues.',
}
