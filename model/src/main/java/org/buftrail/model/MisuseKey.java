package org.buftrail.model;

/** What makes a misuse of one snapshot the same as a misuse of another. Immutable. */
public final class MisuseKey {
  private final Misuse misuse;
  private final PathKey path;

  public MisuseKey(Misuse misuse) {
    this.misuse = misuse;
    this.path = new PathKey(false, misuse.hops());
  }

  @Override
  public boolean equals(Object o) {
    if (!(o instanceof MisuseKey)) {
      return false;
    }
    MisuseKey other = (MisuseKey) o;
    return misuse.kind() == other.misuse.kind()
        && misuse.site().equals(other.misuse.site())
        && path.equals(other.path);
  }

  @Override
  public int hashCode() {
    return misuse.site().hashCode() * 31 + path.hashCode();
  }
}
