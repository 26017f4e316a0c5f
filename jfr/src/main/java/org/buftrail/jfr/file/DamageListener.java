package org.buftrail.jfr.file;

/** Receives what cannot be read. */
public interface DamageListener {
  /** The same trouble is not told for ever. */
  int MOST = 1000;

  /** Ignores damage that is reported elsewhere. */
  DamageListener NONE = new Deaf();

  /** Bytes at an offset of the file cannot be read, for a reason. */
  void damaged(DamageException damage);

  /** Listens to nothing. */
  final class Deaf implements DamageListener {
    private Deaf() {}

    @Override
    public void damaged(DamageException damage) {
      // Is told at another time.
    }
  }
}
