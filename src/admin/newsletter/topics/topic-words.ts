export const TOPICS = "/admin/newsletter/topics";
