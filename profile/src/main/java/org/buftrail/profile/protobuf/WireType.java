package org.buftrail.profile.protobuf;

/** The low three bits of a tag. */
public final class WireType {
  /** A variable-length number. */
  public static final int VARINT = 0;

  /** Eight bytes. */
  public static final int FIXED64 = 1;

  /** A length and so many bytes. */
  public static final int LENGTH = 2;

  /** Four bytes. */
  public static final int FIXED32 = 5;

  private WireType() {}

  /** The tag of a field below 16, which is one byte. */
  public static byte tag(int field, int wireType) {
    return (byte) (field << 3 | wireType);
  }
}
