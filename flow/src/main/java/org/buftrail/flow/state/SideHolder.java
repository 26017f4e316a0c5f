package org.buftrail.flow.state;

import java.lang.ref.WeakReference;
import org.buftrail.flow.base.Stable;
import org.buftrail.flow.tree.Node;
import org.jspecify.annotations.Nullable;

/**
 * A composite of the side table as its components know it. Does not keep its state alive, which a
 * component may outlive, and by whose collection its own is found. Thread-safe.
 */
final class SideHolder implements Holder {
  @Stable private final WeakReference<SideState> state;

  /** Its tenured flow, once there is one. */
  volatile @Nullable TenuredFlow tenured;

  SideHolder(SideState state) {
    this.state = new WeakReference<>(state);
  }

  @Override
  public @Nullable Node lostAt() {
    TenuredFlow known = tenured;
    if (known != null) {
      return known.lostAt();
    }
    SideState side = state.get();
    Object at = side == null ? null : FlowState.stateOpaque(side);
    boolean isLost =
        side != null
            && side.isGone()
            && side.buftrail$needsRelease()
            && !Stamp.isEnded(FlowState.stampOpaque(side));
    return isLost && at instanceof Node && !((Node) at).isEnd() ? (Node) at : null;
  }

  @Override
  public @Nullable Holder holder() {
    TenuredFlow known = tenured;
    SideState side = known == null ? state.get() : null;
    return known != null ? known.holder() : side == null ? null : side.holder();
  }
}
