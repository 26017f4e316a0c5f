package org.buftrail.profile.otlp;

/** A profile as it was received: every index unchecked. */
final class RawProfile {
  /** Where it stands, in the names of the .proto file. */
  final String place;

  int sampleType;
  int sampleUnit;
  int periodType;
  int periodUnit;
  long period;
  long time;
  long duration;
  byte[] id = {};
  byte[] payloadFormat = {};
  long payloadSize;
  final IntList attributes = new IntList();

  final IntList stack = new IntList();
  final IntList link = new IntList();
  final IntList sampleAttributes = new IntList();
  final Rows attributeRows = new Rows();
  final LongList values = new LongList();
  final Rows valueRows = new Rows();
  final LongList times = new LongList();
  final Rows timeRows = new Rows();

  RawProfile(String place) {
    this.place = place;
  }

  int size() {
    return stack.size();
  }
}
