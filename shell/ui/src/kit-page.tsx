export default function KitPage() { return null; }
