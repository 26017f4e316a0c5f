package org.buftrail.profile.otlp.read;

/** A profile as it was received: every index unchecked. */
public final class RawProfile {
  /** Where it stands, in the names of the .proto file. */
  public final String place;

  public int sampleType;
  public int sampleUnit;
  public int periodType;
  public int periodUnit;
  public long period;
  public long time;
  public long duration;
  public byte[] id = {};
  public byte[] payloadFormat = {};
  public long payloadSize;
  public final IntList attributes = new IntList();

  public final IntList stack = new IntList();
  public final IntList link = new IntList();
  public final IntList sampleAttributes = new IntList();
  public final Rows attributeRows = new Rows();
  final LongList values = new LongList();
  public final Rows valueRows = new Rows();
  public final LongList times = new LongList();
  public final Rows timeRows = new Rows();

  RawProfile(String place) {
    this.place = place;
  }

  public int size() {
    return stack.size();
  }
}
