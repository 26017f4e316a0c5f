package org.buftrail.jfr.schema;

import org.jspecify.annotations.Nullable;

/** One field of a type, as a chunk's metadata describes it. */
public final class FieldDescriptor {
  public final String name;
  public final long typeId;
  public final boolean array;

  /** Whether the bytes hold a key of the type's constant pool instead of the value. */
  public final boolean constantPool;

  /**
   * The value of a {@code Timespan} or {@code DataAmount} annotation; {@link Metadata#PERCENTAGE}
   * and {@link Metadata#FREQUENCY} for annotations that have none.
   */
  public final @Nullable String unit;

  /** Whether an integer has no sign. */
  public final boolean unsigned;

  /** Whether the value says something of all events of the thread while the event lasts. */
  public final boolean contextual;

  public FieldDescriptor(
      String name,
      long typeId,
      boolean array,
      boolean constantPool,
      @Nullable String unit,
      boolean unsigned,
      boolean contextual) {
    this.name = name;
    this.typeId = typeId;
    this.array = array;
    this.constantPool = constantPool;
    this.unit = unit;
    this.unsigned = unsigned;
    this.contextual = contextual;
  }
}
