/** What a number may do with a contact, according to the upstream. Unknown names are passed on. */
export interface CallPermission {
  permission: {
    status: string;
    /** Unix seconds; only temporary permissions have one. */
    expiration_time?: number | undefined;
  };
  actions: {
    action_name: string;
    can_perform_action: boolean;
    limits: { time_period: string; max_allowed: number; current_usage: number }[];
  }[];
}

/** A call to a contact, with the caller's SDP. */
export interface Offer {
  /** The contact's id. */
  to: string;
  sdp: string;
  /** Sent unchanged. */
  connection: { webrtc: { sdp: string } };
}

/** The calls of phone numbers. Every method throws `UpstreamError` when it fails. */
export interface UpstreamCalls {
  permission(phoneNumberId: string, contact: string): Promise<CallPermission>;
  /** Resolves with the new call's id, if the upstream returns it. */
  connect(phoneNumberId: string, { to, sdp, connection }: Offer): Promise<string | undefined>;
  /** Lets the media connect before the call is accepted, so that the audio starts sooner. */
  preAccept(phoneNumberId: string, callId: string, sdp: string): Promise<unknown>;
  accept(phoneNumberId: string, callId: string, sdp: string): Promise<unknown>;
  reject(phoneNumberId: string, callId: string): Promise<unknown>;
  terminate(phoneNumberId: string, callId: string): Promise<unknown>;
}
