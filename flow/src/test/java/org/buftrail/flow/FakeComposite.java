package org.buftrail.flow;

import java.util.Arrays;
import org.buftrail.flow.state.ComponentBase;
import org.buftrail.flow.state.TrackedBuffer;
import org.buftrail.flow.woven.Buffers;
import org.jspecify.annotations.Nullable;

/** A composite that reports its components where Netty's woven one does. One thread at a time. */
public final class FakeComposite extends FakeBuffer {
  private volatile @Nullable Object[] components = new Object[2];

  /** The components, and where each was before. */
  public static final class Component extends ComponentBase {
    private final FakeBuffer source;

    Component(FakeBuffer source) {
      this.source = source;
    }

    public FakeBuffer source() {
      return source;
    }

    @Override
    public TrackedBuffer buftrail$source() {
      return source;
    }
  }

  public FakeComposite(boolean direct) {
    super(direct);
    ofTheCollector();
  }

  public void add(int at, FakeBuffer buffer) {
    @Nullable Object[] all = components;
    if (at == all.length) {
      all = Arrays.copyOf(all, at * 2);
    }
    Component component = new Component(buffer);
    all[at] = component;
    components = all;
    Buffers.joined(this, component);
  }

  public void remove(int at) {
    Object component = components[at];
    Buffers.componentRemoved(component);
    components[at] = null;
  }

  @Override
  public @Nullable Object[] buftrail$components() {
    return components;
  }
}
